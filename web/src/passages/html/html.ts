// Turns HTML into sections: title, headings, paragraphs, lists and tables. No script is run and nothing is fetched.
import { parse, parseFragment, defaultTreeAdapter as tree } from 'parse5';
import type { Section } from '../sections/section.ts';
import { SectionBuilder } from '../sections/section-builder.ts';
import { TextBuilder } from '../sections/text-builder.ts';
import { lineOf, parserOptions } from './bounded-tree.ts';
import { isDataTable, tableBlock } from './html-table.ts';
import { type Element, type Node, skippedElements, textOf } from './html-text.ts';

const blockElements = new Set(
  'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);
const preformattedElements = new Set(['pre', 'listing', 'xmp', 'textarea']);
const encodingPattern =
  /<meta[^>]+charset\s*=\s*["']?\s*([\w:.-]+)|<\?xml[^>]+encoding\s*=\s*["']([\w:.-]+)/i;
/** The declaration must lie within this many bytes. */
const declarationBytes = 1024;

/** Finds the encoding that the page declares. A declaration that can be read as ASCII cannot be in UTF-16, so a page
 *  that claims UTF-16 is ignored. */
export function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, declarationBytes));
  const found = encodingPattern.exec(head);
  const name = found?.[1] ?? found?.[2];
  return name === undefined || /^utf-?16/i.test(name) ? undefined : name;
}

export function* htmlSections(text: string): Generator<readonly Section[]> {
  const sections = new SectionBuilder();
  const page = parse(text, parserOptions(text));
  new HtmlReader(sections, 1).read(page);
  yield sections.finish();
}

/** Adds a piece of HTML that begins at `line` of the document. */
export function addHtml(text: string, line: number, sections: SectionBuilder): void {
  const piece = parseFragment(text, parserOptions(text));
  new HtmlReader(sections, line).read(piece);
}

/** Decodes character references such as `&amp;`. */
export function decodeEntities(text: string): string {
  return textOf(parseFragment(text.replaceAll('<', '&lt;')));
}

/** Walks the tree without recursion, because it may be thousands of levels deep. */
class HtmlReader {
  readonly #sections: SectionBuilder;
  readonly #firstLine: number;
  readonly #text = new TextBuilder();
  readonly #listPlaces = new WeakMap<Element, { child: number; elements: number }>();
  #kind: 'prose' | 'item' = 'prose';

  constructor(sections: SectionBuilder, firstLine: number) {
    this.#sections = sections;
    this.#firstLine = firstLine;
  }

  read(root: Node): void {
    const pending: (Node | (() => void))[] = [root];
    for (let next = pending.pop(); next; next = pending.pop()) {
      if (typeof next === 'function') {
        next();
        continue;
      }
      const leave = this.#enter(next);
      if (leave === 'skip') continue;
      if (leave) pending.push(leave);
      if ('childNodes' in next) {
        for (const child of next.childNodes.toReversed()) pending.push(child);
      }
    }
    this.#flush();
  }

  /** Returns what to do after the children, or `skip` to leave them out. */
  #enter(node: Node): (() => void) | 'skip' | undefined {
    if (tree.isTextNode(node)) {
      this.#text.append(node.value, this.#lineOf(node));
      return 'skip';
    }
    if (!tree.isElementNode(node)) return undefined;
    const { tagName } = node;
    if (skippedElements.has(tagName)) return 'skip';
    if (tagName === 'title') {
      this.#sections.setTitle(textOf(node).replace(/\s+/g, ' ').trim());
      return 'skip';
    }
    if (tagName === 'br') this.#text.addSpace();
    if (tagName === 'img') this.#text.append(` ${attribute(node, 'alt')} `, this.#lineOf(node));
    const isBlock = blockElements.has(tagName) || preformattedElements.has(tagName);
    return isBlock ? this.#enterBlock(node) : undefined;
  }

  #enterBlock(node: Element): (() => void) | 'skip' {
    this.#flush();
    const { tagName } = node;
    const position = this.#lineOf(node);
    if (preformattedElements.has(tagName)) {
      const text = textOf(node).replace(/^\n|\s+$/g, '');
      this.#sections.addBlock({ text, position, kind: 'lines' });
      return 'skip';
    }
    if (tagName === 'table' && isDataTable(node)) {
      this.#sections.addBlock(tableBlock(node, (row) => this.#lineOf(row)));
      return 'skip';
    }
    const level = /^h([1-6])$/.exec(tagName)?.[1];
    if (level !== undefined) {
      return () => this.#sections.addHeading(Number(level), this.#text.takeBlock('prose'));
    }
    const outerKind = this.#kind;
    if (tagName === 'li') this.#beginItem(node);
    return () => {
      this.#flush();
      this.#kind = outerKind;
    };
  }

  #beginItem(item: Element): void {
    this.#kind = 'item';
    const list = item.parentNode;
    if (!list || !tree.isElementNode(list) || list.tagName !== 'ol') return;
    const first = Number(attribute(list, 'start') || 1);
    this.#text.append(`${first + this.#indexOf(item, list)}. `, this.#lineOf(item));
  }

  /** The index among the elements of the list. Items come in order, so the search goes on where it ended. */
  #indexOf(item: Element, list: Element): number {
    const at = this.#listPlaces.get(list) ?? { child: 0, elements: 0 };
    this.#listPlaces.set(list, at);
    for (let child = list.childNodes[at.child]; child !== item; child = list.childNodes[at.child]) {
      if (child && tree.isElementNode(child)) at.elements++;
      at.child++;
    }
    return at.elements;
  }

  #flush(): void {
    if (!this.#text.isEmpty) this.#sections.addBlock(this.#text.takeBlock(this.#kind));
  }

  #lineOf(node: Node): number {
    return this.#firstLine - 1 + lineOf(node);
  }
}

function attribute(element: Element, name: string): string {
  return element.attrs.find((attr) => attr.name === name)?.value ?? '';
}
