// Finds the gaps that go down through many rows of a page.
import type { LinePart } from './text-lines.ts';

/** A space between two places, without text. */
export interface Gap {
  readonly begin: number;
  readonly end: number;
}

/** Rows of a page with gaps that go through all of them. */
export interface Band {
  readonly parts: readonly LinePart[];
  readonly gaps: readonly Gap[];
}

/** Parts of one row have base lines that differ by at most so many font sizes. */
const maxRowHeight = 0.4;
/** The space between two columns is at least so many font sizes. */
const minGutter = 0.8;
/** A row with more parts is no text in columns. */
const maxParts = 32;

/** The rows of parts with one direction, from the top to the bottom. */
export function rowsOf(parts: readonly LinePart[]): LinePart[][] {
  const rows: LinePart[][] = [];
  for (const part of [...parts].sort((a, b) => b.y - a.y)) {
    const row = rows.at(-1);
    const top = row?.[0];
    if (row && top && top.y - part.y <= maxRowHeight * Math.max(top.size, part.size)) {
      row.push(part);
    } else {
      rows.push([part]);
    }
  }
  for (const row of rows) {
    row.sort((a, b) => a.begin - b.begin);
  }
  return rows;
}

/** Goes down the rows. A row that leaves no gap between columns, such as a title over the whole page, ends a band. */
export function* bandsOf(rows: readonly LinePart[][]): Generator<Band> {
  let band = new OpenBand();
  for (const row of rows) {
    if (band.takes(row)) {
      band.add(row);
      continue;
    }
    yield band.done();
    band = new OpenBand();
    band.add(row);
  }
  yield band.done();
}

class OpenBand {
  readonly #parts: LinePart[] = [];
  #begin = Infinity;
  #end = -Infinity;
  #gaps: readonly Gap[] = [{ begin: -Infinity, end: Infinity }];

  takes(row: readonly LinePart[]): boolean {
    const begin = Math.min(this.#begin, beginOf(row));
    const end = Math.max(this.#end, endOf(row));
    const needsGap = row.length > 1 || innerGaps(this.#gaps, this.#begin, this.#end).length > 0;
    return !needsGap || innerGaps(common(this.#gaps, spacesOf(row)), begin, end).length > 0;
  }

  add(row: readonly LinePart[]): void {
    this.#gaps = common(this.#gaps, spacesOf(row));
    this.#begin = Math.min(this.#begin, beginOf(row));
    this.#end = Math.max(this.#end, endOf(row));
    for (const part of row) {
      this.#parts.push(part);
    }
  }

  done(): Band {
    return { parts: this.#parts, gaps: innerGaps(this.#gaps, this.#begin, this.#end) };
  }
}

function beginOf(row: readonly LinePart[]): number {
  return row[0]?.begin ?? Infinity;
}

function endOf(row: readonly LinePart[]): number {
  return row.reduce((most, { end }) => Math.max(most, end), -Infinity);
}

/** Gaps with text on both sides. */
function innerGaps(gaps: readonly Gap[], begin: number, end: number): Gap[] {
  return gaps.filter((gap) => gap.begin > begin && gap.end < end);
}

/** The space before, between and after the parts of a row. */
function spacesOf(row: readonly LinePart[]): Gap[] {
  const spaces: Gap[] = [];
  let last = -Infinity;
  for (const { begin, end, size } of row.length > maxParts ? [] : row) {
    if (begin - last >= minGutter * size) {
      spaces.push({ begin: last, end: begin });
    }
    last = Math.max(last, end);
  }
  const first = { begin: -Infinity, end: beginOf(row) };
  return [...(row.length > maxParts ? [first] : spaces), { begin: endOf(row), end: Infinity }];
}

/** What is free in both. */
function common(some: readonly Gap[], others: readonly Gap[]): Gap[] {
  const found: Gap[] = [];
  let j = 0;
  for (let i = 0; i < some.length && j < others.length; ) {
    const [a, b] = [some[i], others[j]];
    if (!a || !b) {
      break;
    }
    const gap = { begin: Math.max(a.begin, b.begin), end: Math.min(a.end, b.end) };
    if (gap.end > gap.begin) {
      found.push(gap);
    }
    if (a.end < b.end) {
      i++;
    } else {
      j++;
    }
  }
  // Only a page that is made for it has more.
  return found.slice(0, maxParts + 1);
}
