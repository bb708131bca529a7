// Reads the rows of CSV and TSV. The header tells the delimiter. Cells beyond the header are kept.
import { csv2json } from 'csv42';
import { AmbryError, messageOf } from '../../errors.ts';

export interface CsvRows {
  readonly rows: Record<string, unknown>[];
  readonly warnings: string[];
}

const delimiters = [',', ';', '\t', '|'];
/** Stands for the delimiter of a table with one column. */
const noDelimiter = '\x1f';
/** This many cells beyond the header are read. */
const maxExtraCells = 1000;
/** A row is an object with a property for each column, also for those that are empty. */
const maxColumns = 16_384;

export function csvRows(path: string, text: string, type: string): CsvRows {
  const lines = text.includes('\n') ? text : text.replaceAll('\r', '\n');
  const delimiter = type === '.tsv' ? '\t' : delimiterOf(lines);
  const extra: ExtraCells = { rows: 0, row: null, separator: '' };
  try {
    const rows = csv2json<Record<string, unknown>>(lines, {
      delimiter,
      nested: false,
      parseValue: (value) => value,
      fields: (names) => columns(path, names, delimiter, extra),
    });
    return { rows, warnings: extraCellsWarning(extra.rows) };
  } catch (error) {
    if (error instanceof AmbryError) throw error;
    throw new AmbryError('BadValue', `${path} is not valid CSV: ${messageOf(error)}`);
  }
}

/** The cells beyond the header. */
interface ExtraCells {
  /** How many rows have such cells with text. */
  rows: number;
  /** The row that is being read. */
  row: object | null;
  /** The delimiters before the next cell of this row. Empty cells leave several of them. */
  separator: string;
}

/** Returns the columns of the header and one for each extra cell. Extra cells are appended to the last column of the
 *  header, because they are mostly parts of a text with commas and without quotes. */
function columns(path: string, names: readonly string[], delimiter: string, extra: ExtraCells) {
  if (names.length > maxColumns) throw tooManyColumns(path, names.length);
  const unique = uniqueNames(names);
  const last = unique.at(-1) ?? '';
  const append = (row: Record<string, unknown>, value: unknown) => {
    const isFirst = extra.row !== row;
    if (value === '' && isFirst) return;
    extra.separator = isFirst ? delimiter : extra.separator + delimiter;
    extra.row = row;
    if (value === '') return;
    if (isFirst) extra.rows++;
    row[last] = `${String(row[last] ?? '')}${extra.separator}${String(value)}`;
    extra.separator = '';
  };
  const set = (name: string) => (row: Record<string, unknown>, value: unknown) => {
    row[name] = value;
  };
  const extraColumns = Array.from({ length: maxExtraCells }, (_, i) => ({
    name: '',
    index: unique.length + i,
    setValue: append,
  }));
  return [...unique.map((name, index) => ({ name, index, setValue: set(name) })), ...extraColumns];
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

function extraCellsWarning(rows: number): string[] {
  if (rows === 0) return [];
  const subject = rows === 1 ? '1 row has' : `${rows} rows have`;
  return [`${subject} more cells than the header. The extra cells were added to the last column.`];
}

/** Returns the delimiter that splits the header into most names. */
function delimiterOf(text: string): string {
  const header = (/^(?:"(?:[^"]|"")*"|[^"\n])*/.exec(text)?.[0] ?? '').replace(
    /"(?:[^"]|"")*"/g,
    '',
  );
  const counts = delimiters.map((delimiter) => header.split(delimiter).length - 1);
  const most = Math.max(...counts);
  return most === 0 ? noDelimiter : (delimiters[counts.indexOf(most)] ?? noDelimiter);
}
