// Turns tables into lines, one for each row. A line names the columns, so that it makes sense by itself.
import { defaultTreeAdapter as tree } from 'parse5';
import type { Block } from '../sections/section.ts';
import { linesBlock, rowText } from '../sections/table-lines.ts';
import { type Element, type Node, textOf } from './html-text.ts';

/** A table with one of these in a cell lays out a page. */
const layoutElements = new Set([
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'table',
  'ul',
  'ol',
  'pre',
  'hr',
]);

/** A data table has values in its cells. Other tables lay out a page. */
export function isDataTable(table: Element): boolean {
  if (table.attrs.some(({ name, value }) => name === 'role' && value === 'presentation')) {
    return false;
  }
  const isLayout = ({ tagName }: Element) => layoutElements.has(tagName);
  return !rowsOf(table).some((row) =>
    cellsOf(row).some((cell) => elementsIn(cell).some(isLayout) || paragraphsIn(cell) > 1),
  );
}

export function tableBlock(table: Element, lineOf: (row: Node) => number): Block {
  const rows = rowsOf(table);
  const first = rows[0];
  const hasHeader = first !== undefined && cellsOf(first).every(({ tagName }) => tagName === 'th');
  const names = hasHeader && rows.length > 1 ? cellsOf(first).map(tidy) : [];
  const lines = rows.slice(names.length > 0 ? 1 : 0).map((row) => ({
    text: rowText(names, cellsOf(row).map(tidy)),
    position: lineOf(row),
  }));
  const caption = elementsIn(table).find(({ tagName }) => tagName === 'caption');
  if (caption) lines.unshift({ text: tidy(caption), position: lineOf(caption) });
  return linesBlock(lines);
}

function tidy(cell: Node): string {
  return textOf(cell).replace(/\s+/g, ' ').trim();
}

/** The rows of this table, without those of tables inside it. */
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

/** All elements inside `root` in document order. Does not look into elements with the names `closed`. */
function elementsIn(root: Element, closed: readonly string[] = []): Element[] {
  const found: Element[] = [];
  const pending: Element[] = [root];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next !== root) found.push(next);
    if (closed.includes(next.tagName)) continue;
    for (const child of next.childNodes.toReversed()) {
      if (tree.isElementNode(child)) pending.push(child);
    }
  }
  return found;
}
