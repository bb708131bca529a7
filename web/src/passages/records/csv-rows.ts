// Reads the rows of CSV and TSV. The header tells the delimiter. Cells beyond the header are kept.
import { AmbryError } from '../../base/errors.ts';
import { byteOffsetOf, type DecodedText } from '../text/decoding.ts';
import { CsvScanner } from './csv-scanner.ts';

const delimiters = [',', ';', '\t', '|'];
/** Stands for the delimiter of a table with one column. */
const noDelimiter = '\x1f';
/** A row is an object with a property for each cell. */
const maxColumns = 16_384;

type Row = Record<string, unknown>;

/** Adds its warnings to `warnings` in the end. */
export function* csvRows(
  path: string,
  document: DecodedText,
  type: string,
  warnings: string[],
): Generator<Row> {
  const { text } = document;
  const lines = text.includes('\n') ? text : text.replaceAll('\r', '\n');
  const delimiter = type === '.tsv' ? '\t' : delimiterOf(lines);
  const scanner = new CsvScanner(lines, delimiter);
  const offsetOf = (index: number) => byteOffsetOf(document, index);
  try {
    const header = scanner.next(maxColumns) ?? [];
    if (scanner.cells > maxColumns) {
      throw tooManyColumns(path, scanner.cells);
    }
    const names = uniqueNames(header);
    let longer = 0;
    for (let row = scanner.next(Infinity); row; row = scanner.next(Infinity)) {
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

/** Adds its number to a name that another column has already. */
function uniqueNames(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.map((name, i) => {
    const unique = seen.has(name) ? `${name} ${i + 1}` : name;
    seen.add(name);
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

function extraCellsWarning(rows: number): string[] {
  if (rows === 0) {
    return [];
  }
  const subject = rows === 1 ? '1 row has' : `${rows} rows have`;
  return [`${subject} more cells than the header. The extra cells were added to the last column.`];
}

/** Returns the delimiter that splits the header into most names. */
function delimiterOf(text: string): string {
  const counts = delimiters.map(() => 0);
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? '';
    if (sign === '"') {
      isQuoted = !isQuoted;
    } else if (isQuoted) {
      continue;
    } else if (sign === '\n') {
      break;
    }
    const i = delimiters.indexOf(sign);
    if (i >= 0) {
      counts[i] = (counts[i] ?? 0) + 1;
    }
  }
  const most = Math.max(...counts);
  return most === 0 ? noDelimiter : (delimiters[counts.indexOf(most)] ?? noDelimiter);
}
