// The two kinds of tables of reStructuredText. Both are drawn with signs.
import type { Line } from '../sections/line-blocks.ts';

/** Rows of tables with more columns have the cells only that their line reaches. */
const maxEmptyCells = 256;

export interface DrawnTable {
  readonly header: readonly string[];
  readonly rows: readonly { readonly cells: readonly string[]; readonly position: number }[];
  /** The number of its lines. */
  readonly length: number;
}

const gridBorder = /^\s*\+(?:[-=]+\+)+\s*$/;
const simpleBorder = /^\s*=+(?:\s+=+)+\s*$/;

/** Undefined where no table begins. */
export function tableAt(lines: readonly Line[], at: number): DrawnTable | undefined {
  const first = lines[at]?.text ?? '';
  if (gridBorder.test(first)) {
    return gridAt(lines, at);
  }
  return simpleBorder.test(first) ? simpleAt(lines, at) : undefined;
}

function gridAt(lines: readonly Line[], at: number): DrawnTable {
  const columns = columnsOf(lines[at]?.text ?? '', /\+/g);
  const rows: { cells: string[]; position: number }[] = [];
  let header: readonly string[] = [];
  let row: { cells: string[]; position: number } | undefined;
  let end = at + 1;
  for (; end < lines.length; end++) {
    const { text, position } = lines[end] as Line;
    if (/^\s*\+[-=+]/.test(text)) {
      if (row) {
        rows.push(row);
      }
      row = undefined;
      if (text.includes('=')) {
        header = rows.pop()?.cells ?? header;
      }
    } else if (/^\s*[|+]/.test(text)) {
      row ??= { cells: [], position };
      addCells(row.cells, cellsOf(text, columns, 1));
    } else {
      break;
    }
  }
  return { header, rows, length: end - at };
}

/** A row whose first cell is empty goes on with the one before. */
function simpleAt(lines: readonly Line[], at: number): DrawnTable {
  const columns = columnsOf(lines[at]?.text ?? '', /(?<![=])=/g);
  const rows: { cells: string[]; position: number }[] = [];
  let header: string[] = [];
  let borders = 1;
  let end = at + 1;
  for (; end < lines.length; end++) {
    const { text, position } = lines[end] as Line;
    const isBorder = simpleBorder.test(text);
    if (isBorder) {
      borders++;
      const isLast = (lines[end + 1]?.text ?? '').trim() === '';
      if (borders === 2 && !isLast) {
        header = rows.splice(0).reduce<string[]>((all, { cells }) => addCells(all, cells), []);
      } else if (isLast) {
        end++;
        break;
      }
    } else if (text.trim() !== '' && !/^\s*-+(?:\s+-+)*\s*$/.test(text)) {
      const cells = cellsOf(text, columns, 0);
      const last = rows.at(-1);
      if (cells[0] === '' && last) {
        addCells(last.cells, cells);
      } else {
        rows.push({ cells, position });
      }
    }
  }
  return { header, rows, length: end - at };
}

/** Where columns begin. */
function columnsOf(border: string, sign: RegExp): number[] {
  return [...border.matchAll(sign)].map(({ index }) => index);
}

/** In a grid, `gap` signs stand between cells. The last border of a grid begins no column. */
function cellsOf(text: string, columns: readonly number[], gap: number): string[] {
  const all = gap > 0 ? columns.slice(0, -1) : columns;
  const begins = all.length > maxEmptyCells ? all.filter((begin) => begin < text.length) : all;
  return begins.map((begin, i) => {
    const isLast = gap === 0 && i === begins.length - 1;
    const end = isLast ? text.length : columns[i + 1];
    return text
      .slice(begin + gap, end)
      .replace(/^[|+]|[|+]$/g, '')
      .trim();
  });
}

function addCells(all: string[], more: readonly string[]): string[] {
  more.forEach((cell, i) => {
    all[i] = `${all[i] ?? ''} ${cell}`.trim();
  });
  return all;
}
