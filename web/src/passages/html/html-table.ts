// Tables to lines: a row each, with the names of its columns, so that a row can be understood by itself.
import { defaultTreeAdapter as tree } from 'parse5';
import type { Block } from '../sections/blocks.ts';
import { linesBlock, lineWith } from '../sections/table-lines.ts';
import { type Element, type Node, textIn } from './html-text.ts';

const kNoData = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'ul', 'ol', 'pre', 'hr']);

/** Whether cells hold values, and not the parts of a page. */
export function isDataTable(table: Element): boolean {
  if (table.attrs.some(({ name, value }) => name === 'role' && value === 'presentation')) {
    return false;
  }
  const isPart = ({ tagName }: Element) => kNoData.has(tagName);
  return !rowsOf(table).some((row) =>
    cellsOf(row).some((cell) => elementsIn(cell).some(isPart) || paragraphsIn(cell) > 1),
  );
}

export function tableBlock(table: Element, lineOf: (row: Node) => number): Block {
  const rows = rowsOf(table);
  const first = rows[0];
  const hasHeader = first !== undefined && cellsOf(first).every(({ tagName }) => tagName === 'th');
  const names = hasHeader && rows.length > 1 ? cellsOf(first).map(tidy) : [];
  const lines = rows.slice(names.length > 0 ? 1 : 0).map((row) => ({
    text: lineWith(names, cellsOf(row).map(tidy)),
    position: lineOf(row),
  }));
  const caption = elementsIn(table).find(({ tagName }) => tagName === 'caption');
  if (caption) lines.unshift({ text: tidy(caption), position: lineOf(caption) });
  return linesBlock(lines);
}

function tidy(cell: Node): string {
  return textIn(cell).replace(/\s+/g, ' ').trim();
}

/** The rows of this table, not those of tables in it. */
function rowsOf(table: Element): Element[] {
  return elementsIn(table, ['td', 'th']).filter(({ tagName }) => tagName === 'tr');
}

function cellsOf(row: Element): Element[] {
  return row.childNodes
    .filter((node) => tree.isElementNode(node))
    .filter(({ tagName }) => tagName === 'td' || tagName === 'th');
}

function paragraphsIn(cell: Element): number {
  return elementsIn(cell).filter(({ tagName }) => tagName === 'p').length;
}

/** All elements below, in their order, without those below the elements of these names. */
function elementsIn(root: Element, without: readonly string[] = []): Element[] {
  const found: Element[] = [];
  const waiting: Element[] = [root];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next !== root) found.push(next);
    if (without.includes(next.tagName)) continue;
    for (const child of next.childNodes.toReversed()) {
      if (tree.isElementNode(child)) waiting.push(child);
    }
  }
  return found;
}
