// Makes elements of a Markdown document. Texts become text nodes, and nothing is loaded from elsewhere.

import { copyButton } from '../../shared/dom/copy-button.ts';
import { element } from '../../shared/dom/dom.ts';
import { labelCells } from '../../shared/dom/label-cells.ts';
import type { Block, Inline, ListItem } from './document.ts';

const linkProtocols: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);
const topHeading = 3;
const lowestHeading = 6;

/** The address of a link that may be followed. An answer has no address of its own, so relative ones are none. */
export function safeAddress(href: string): string | null {
  try {
    const url = new URL(href);
    return linkProtocols.has(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

function linkElement(href: string, children: readonly (Node | string)[]): Node {
  const address = safeAddress(href);
  if (address === null) {
    return element('span', '', ...children);
  }
  const link = element('a', '', ...children);
  link.href = address;
  link.rel = 'noopener noreferrer';
  link.target = '_blank';
  link.title = address;
  return link;
}

function inlineNode(inline: Inline): Node | string {
  if (typeof inline === 'string') {
    return inline;
  }
  switch (inline.kind) {
    case 'code':
      return element('code', '', inline.text);
    case 'break':
      return element('br');
    case 'link':
      return linkElement(inline.href, inline.inside.map(inlineNode));
    default:
      return element(inline.kind, '', ...inline.inside.map(inlineNode));
  }
}

function codeElement(text: string, language: string): HTMLElement {
  const scroll = element('pre', '', element('code', '', text));
  scroll.tabIndex = 0;
  const label = language === '' ? 'Code' : language;
  scroll.setAttribute('role', 'group');
  scroll.setAttribute('aria-label', `${label}, a block of code`);
  const copy = copyButton('Copy code', () => text);
  return element('div', 'code-block', element('div', 'code-head', label, copy), scroll);
}

/** A line of a list that has one paragraph only needs no paragraph around it. */
function itemElement({ checked, blocks }: ListItem, headings: number): HTMLLIElement {
  const [first, ...rest] = blocks;
  const nodes =
    first?.kind === 'paragraph'
      ? [...first.inside.map(inlineNode), ...rest.map((block) => blockElement(block, headings))]
      : blocks.map((block) => blockElement(block, headings));
  if (checked === null) {
    return element('li', '', ...nodes);
  }
  return element('li', 'task', checked ? '☑ ' : '☐ ', ...nodes);
}

function listElement(block: Extract<Block, { kind: 'list' }>, headings: number): HTMLElement {
  const items = block.items.map((item) => itemElement(item, headings));
  if (block.start === null) {
    return element('ul', '', ...items);
  }
  const list = element('ol', '', ...items);
  list.start = block.start;
  return list;
}

/** More columns have no room beside each other. Each row is then a block, and its cells tell the titles of their columns. */
const maxColumns = 6;

type Table = Extract<Block, { kind: 'table' }>;

function tableElement({ alignments, head, rows }: Table): HTMLTableElement {
  const rowElement = (tag: 'th' | 'td', cells: readonly (readonly Inline[])[]) =>
    element(
      'tr',
      '',
      ...cells.map((cell, i) => element(tag, alignments[i] ?? '', ...cell.map(inlineNode))),
    );
  const titles = rowElement('th', head);
  const body = rows.map((row) => rowElement('td', row));
  const isWide = head.length > maxColumns;
  if (isWide) {
    for (const row of body) {
      labelCells(row, titles);
    }
  }
  return element(
    'table',
    isWide ? 'records' : '',
    element('thead', '', titles),
    element('tbody', '', ...body),
  );
}

/** The level of the page's heading for a heading of level 1 of the text: the highest one becomes an `<h3>`. */
export function headingOffset(blocks: readonly Block[]): number {
  const levels = blocks.flatMap((block) => (block.kind === 'heading' ? [block.level] : []));
  return topHeading - Math.min(topHeading, ...levels);
}

export function blockElement(block: Block, headings: number): HTMLElement {
  switch (block.kind) {
    case 'heading': {
      const level = Math.min(lowestHeading, block.level + headings) as 3 | 4 | 5 | 6;
      return element(`h${level}`, '', ...block.inside.map(inlineNode));
    }
    case 'paragraph':
      return element('p', '', ...block.inside.map(inlineNode));
    case 'code':
      return codeElement(block.text, block.language);
    case 'quote':
      return element(
        'blockquote',
        '',
        ...block.blocks.map((inner) => blockElement(inner, headings)),
      );
    case 'list':
      return listElement(block, headings);
    case 'table':
      return tableElement(block);
    case 'rule':
      return element('hr');
  }
}
