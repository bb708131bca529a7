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

/** Parts of a table that may have tables inside. */
const closedParts = ['td', 'th', 'caption'];

/** A data table has values in its cells. Other tables lay out a page. This looks no further than the first element that
 *  tells, so that a table in a table in a table is not searched once for each. */
export function isDataTable(table: Element): boolean {
  if (table.attrs.some(({ name, value }) => name === 'role' && value === 'presentation')) {
    return false;
  }
  for (const row of elementsIn(table, closedParts)) {
    if (row.tagName === 'tr' && cellsOf(row).some(isLayoutCell)) return false;
  }
  return true;
}

function isLayoutCell(cell: Element): boolean {
  let paragraphs = 0;
  for (const { tagName } of elementsIn(cell)) {
    if (tagName === 'p') paragraphs++;
    if (layoutElements.has(tagName) || paragraphs > 1) return true;
  }
  return false;
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
  const caption = [...elementsIn(table, closedParts)].find(({ tagName }) => tagName === 'caption');
  if (caption) lines.unshift({ text: tidy(caption), position: lineOf(caption) });
  return linesBlock(lines);
}

function tidy(cell: Node): string {
  return textOf(cell).replace(/\s+/g, ' ').trim();
}

/** The rows of this table, without those of tables inside it. */
function rowsOf(table: Element): Element[] {
  return [...elementsIn(table, closedParts)].filter(({ tagName }) => tagName === 'tr');
}

function cellsOf(row: Element): Element[] {
  return row.childNodes
    .filter((node) => tree.isElementNode(node))
    .filter(({ tagName }) => tagName === 'td' || tagName === 'th');
}

/** All elements inside `root` in document order. Does not look into elements with the names `closed`. */
function* elementsIn(root: Element, closed: readonly string[] = []): Generator<Element> {
  const pending: Element[] = [root];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next !== root) yield next;
    if (closed.includes(next.tagName)) continue;
    for (let i = next.childNodes.length - 1; i >= 0; i--) {
      const child = next.childNodes[i];
      if (child && tree.isElementNode(child)) pending.push(child);
    }
  }
}
