// Tables of text to rows: their delimiter is found in their header, and no cell is lost.
import { csv2json } from 'csv42';
import { AmbryError, messageOf } from '../../errors.ts';

export interface CsvRows {
  readonly rows: Record<string, unknown>[];
  readonly warnings: string[];
}

const kDelimiters = [',', ';', '\t', '|'];
/** In a table of one column nothing parts cells. */
const kNone = '\x1f';
/** Cells beyond the header that are looked for. */
const kMostOver = 1000;

export function csvRows(path: string, text: string, type: string): CsvRows {
  const lines = text.includes('\n') ? text : text.replaceAll('\r', '\n');
  const delimiter = type === '.tsv' ? '\t' : delimiterOf(lines);
  const over: Over = { rows: 0, row: null, gap: '' };
  try {
    const rows = csv2json<Record<string, unknown>>(lines, {
      delimiter,
      nested: false,
      parseValue: (value) => value,
      fields: (names) => columns(names, delimiter, over),
    });
    const message = `${over.rows} rows have more cells than the header; the last column took them.`;
    return { rows, warnings: over.rows === 0 ? [] : [message] };
  } catch (error) {
    throw new AmbryError('BadValue', `Not valid CSV: ${path}: ${messageOf(error)}`);
  }
}

/** What rows have beyond the header: in how many, and in the present one, the cells without text. */
interface Over {
  rows: number;
  row: object | null;
  gap: string;
}

/** The header's columns, and those of rows that go on: mostly texts whose commas were not quoted. */
function columns(names: readonly string[], delimiter: string, over: Over) {
  const unique = names.map((name, i) => (names.indexOf(name) < i ? `${name} ${i + 1}` : name));
  const last = unique.at(-1) ?? '';
  const append = (row: Record<string, unknown>, value: unknown) => {
    const isFirst = over.row !== row;
    if (value === '' && isFirst) return;
    over.gap = isFirst ? delimiter : over.gap + delimiter;
    over.row = row;
    if (value === '') return;
    if (isFirst) over.rows++;
    row[last] = `${String(row[last] ?? '')}${over.gap}${String(value)}`;
    over.gap = '';
  };
  const set = (name: string) => (row: Record<string, unknown>, value: unknown) => {
    row[name] = value;
  };
  const beyond = Array.from({ length: kMostOver }, (_, i) => ({
    name: '',
    index: unique.length + i,
    setValue: append,
  }));
  return [...unique.map((name, index) => ({ name, index, setValue: set(name) })), ...beyond];
}

/** The one that parts most names in the header. */
function delimiterOf(text: string): string {
  const header = (/^(?:"(?:[^"]|"")*"|[^"\n])*/.exec(text)?.[0] ?? '').replace(
    /"(?:[^"]|"")*"/g,
    '',
  );
  const counts = kDelimiters.map((sign) => header.split(sign).length - 1);
  const most = Math.max(...counts);
  return most === 0 ? kNone : (kDelimiters[counts.indexOf(most)] ?? kNone);
}
