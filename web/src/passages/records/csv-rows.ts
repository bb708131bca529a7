// Reads the rows of CSV and TSV. Cells beyond the header are kept.
import { AmbryError } from '../../base/errors.ts';
import { byteOffsetOf, type DecodedText } from '../text/decoding.ts';
import { csvHead } from './csv-head.ts';
import { CsvScanner } from './csv-scanner.ts';

/** A row is an object with a property for each cell. */
const maxColumns = 16_384;
/** A warning quotes so many characters of a line. */
const maxQuoted = 60;

type Row = Record<string, unknown>;

/** Adds its warnings to `warnings` in the end. */
export function* csvRows(
  path: string,
  document: DecodedText,
  type: string,
  warnings: string[],
): Generator<Row> {
  const { text } = document;
  const { begin, delimiter, endsInReturn, skipped } = csvHead(text, type);
  warnings.push(...skippedLinesWarning(skipped));
  const scanner = new CsvScanner(text, delimiter, endsInReturn, begin);
  const offsetOf = (index: number) => byteOffsetOf(document, index);
  try {
    const header = scanner.next(maxColumns) ?? [];
    if (scanner.cells > maxColumns) {
      throw tooManyColumns(path, scanner.cells);
    }
    const names = columnNames(header);
    let longer = 0;
    for (let row = scanner.next(Infinity); row; row = scanner.next(Infinity)) {
      if (row.length === 0) {
        continue;
      }
      const extra = textOfExtra(row, names.length, delimiter);
      if (extra !== '') {
        longer++;
      }
      yield rowOf(names, row, extra);
    }
    warnings.push(...extraCellsWarning(longer));
  } catch (error) {
    if (error !== scanner.openQuote) {
      throw error;
    }
    throw quoteWithoutEnd(path, scanner.row, offsetOf(scanner.at));
  }
}

/** The cells beyond the header belong to the last column, because they are mostly parts of a text with commas and
 *  without quotes. Empty cells before and after them do not count. */
function textOfExtra(row: readonly string[], columns: number, delimiter: string): string {
  if (row.length <= columns) {
    return '';
  }
  let first = columns;
  let end = row.length;
  while (first < end && row[first] === '') {
    first++;
  }
  while (end > first && row[end - 1] === '') {
    end--;
  }
  return first === end ? '' : delimiter + row.slice(first, end).join(delimiter);
}

function rowOf(names: readonly string[], cells: readonly string[], extra: string): Row {
  const row: Row = {};
  const columns = Math.min(names.length, cells.length);
  for (let i = 0; i < columns; i++) {
    row[names[i] ?? ''] = cells[i];
  }
  if (extra === '') {
    return row;
  }
  const last = names.at(-1) ?? '';
  row[last] = `${String(row[last] ?? '')}${extra}`;
  return row;
}

/** The names of the columns. One without a name, or with that of another column, gets its number. */
function columnNames(header: readonly string[]): string[] {
  const last = header.findLastIndex((name) => name.trim() !== '');
  const given = header.slice(0, last + 1).map((name) => name.trim());
  const seen = new Set<string>();
  const all = new Set(given);
  return given.map((name, i) => {
    let unique = name === '' || seen.has(name) ? `${name || 'column'} ${i + 1}` : name;
    while (unique !== name && (seen.has(unique) || all.has(unique))) {
      unique += "'";
    }
    seen.add(unique);
    return unique;
  });
}

function tooManyColumns(path: string, columns: number): AmbryError {
  const message = `${path} has ${columns} columns. At most ${maxColumns} are read. Split it into smaller tables.`;
  return new AmbryError('LimitExceeded', message, { byteOffset: 0, path: 'header' });
}

function quoteWithoutEnd(path: string, row: number, byteOffset: number | undefined): AmbryError {
  const place = row === 0 ? 'header' : `record ${row}`;
  const message = `${path} is not valid CSV: a quote in its ${place} has no end. Close it, or write it twice.`;
  return new AmbryError('BadValue', message, { byteOffset, path: place });
}

function skippedLinesWarning(lines: readonly string[]): string[] {
  if (lines.length === 0) {
    return [];
  }
  const subject =
    lines.length === 1
      ? 'A line before the header was'
      : `${lines.length} lines before the header were`;
  return [`${subject} left out: “${lines.map((line) => line.slice(0, maxQuoted)).join('”, “')}”.`];
}

function extraCellsWarning(rows: number): string[] {
  if (rows === 0) {
    return [];
  }
  const subject = rows === 1 ? '1 row has' : `${rows} rows have`;
  return [`${subject} more cells than the header. The extra cells were added to the last column.`];
}
