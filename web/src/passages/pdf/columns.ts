// Puts columns of running text one after the other where the file holds their lines row by row.
import { bandsOf, rowsOf } from './gutters.ts';
import type { LinePart, TextLine } from './text-lines.ts';

/** A column has so many lines. */
const minLines = 3;
/** Lines in the order of rows change from column to column: more than this share of them. */
const minSwitches = 0.3;
/** Half of the lines of a text have so many words or more, or so many letters in a script without spaces. Cells of a table
 *  have fewer. */
const minWords = 3;
const minUnspacedLetters = 8;
/** This share of the lines of a text begins with a small letter, because a sentence goes on. Cells of a table do not. */
const minContinuing = 0.3;
/** In a script without small letters, half of the lines fill this share of their column. */
const minFill = 0.8;

type Column = readonly LinePart[];

/** The lines of a page with its columns one after the other. */
export function withColumns(lines: readonly TextLine[]): TextLine[] {
  const parts = lines.flat();
  const angle = commonest(parts.map((part) => part.angle));
  const columnsAt = new Map<LinePart, Column[]>();
  for (const { parts: some, gaps } of bandsOf(rowsOf(parts.filter((p) => p.angle === angle)))) {
    const columns = columnsOf(
      some,
      gaps.map(({ begin, end }) => (begin + end) / 2),
    );
    if (columns.length > 1 && columns.every(isProse) && columns.some(hasSentences)) {
      for (const part of some) {
        columnsAt.set(part, columns);
      }
    }
  }
  return columnsAt.size === 0 ? [...lines] : reordered(lines, columnsAt);
}

function commonest(angles: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const angle of angles) {
    counts.set(angle, (counts.get(angle) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

function columnsOf(parts: readonly LinePart[], gutters: readonly number[]): Column[] {
  const columns: LinePart[][] = [...gutters, Infinity].map(() => []);
  for (const part of parts) {
    const i = gutters.findIndex((gutter) => part.begin < gutter);
    columns.at(i)?.push(part);
  }
  const isRightToLeft = parts.filter((part) => part.isRightToLeft).length > parts.length / 2;
  return isRightToLeft ? columns.reverse() : columns;
}

function isProse(column: Column): boolean {
  const long = column.filter(({ text }) => isLong(text)).length;
  return column.length >= minLines && long >= column.length / 2;
}

function isLong(text: string): boolean {
  const unspaced = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  return text.split(' ').length >= minWords || (unspaced?.length ?? 0) >= minUnspacedLetters;
}

/** Whether sentences go on from line to line. */
function hasSentences(column: Column): boolean {
  const small = column.filter(({ text }) => /^\p{Ll}/u.test(text)).length;
  if (column.some(({ text }) => /\p{Lu}/u.test(text)) || small > 0) {
    return small >= minContinuing * column.length;
  }
  const width = column.reduce((most, { begin, end }) => Math.max(most, end - begin), 0);
  const full = column.filter(({ begin, end }) => end - begin >= minFill * width).length;
  return full >= column.length / 2;
}

/** Gives the columns in the place of their first part. Those that are one after the other stay as they are. */
function reordered(
  lines: readonly TextLine[],
  columnsAt: ReadonlyMap<LinePart, Column[]>,
): TextLine[] {
  const mixed = mixedColumns(lines, columnsAt);
  const given = new Set<Column[]>();
  const result: TextLine[] = [];
  for (const line of lines) {
    const rest: LinePart[] = [];
    for (const part of line) {
      const columns = columnsAt.get(part);
      if (!columns || !mixed.has(columns)) {
        rest.push(part);
      } else if (!given.has(columns)) {
        given.add(columns);
        for (const row of columns.flatMap(rowsOf)) {
          result.push(row);
        }
      }
    }
    if (rest.length > 0) {
      result.push(rest);
    }
  }
  return result;
}

/** The columns whose lines alternate in the order of the file. */
function mixedColumns(
  lines: readonly TextLine[],
  columnsAt: ReadonlyMap<LinePart, Column[]>,
): Set<Column[]> {
  const columnOf = new Map<LinePart, Column>();
  for (const columns of new Set(columnsAt.values())) {
    for (const column of columns) {
      for (const part of column) {
        columnOf.set(part, column);
      }
    }
  }
  const switches = new Map<Column[], number>();
  const last = new Map<Column[], Column>();
  for (const part of lines.flat()) {
    const columns = columnsAt.get(part);
    const column = columnOf.get(part);
    if (!columns || !column) {
      continue;
    }
    const before = last.get(columns);
    if (before && before !== column) {
      switches.set(columns, (switches.get(columns) ?? 0) + 1);
    }
    last.set(columns, column);
  }
  const isMixed = ([columns, n]: readonly [Column[], number]) =>
    n > minSwitches * columns.reduce((sum, column) => sum + column.length, 0);
  return new Set([...switches].filter(isMixed).map(([columns]) => columns));
}
