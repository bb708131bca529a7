// The rows of CSV, beside another reader's.
import { csv2json } from 'csv42';
import { expect, test } from 'vitest';
import { CsvScanner } from '../../../../web/src/passages/records/csv-scanner.ts';

// Text after a quoted part belongs to the cell here, and is a new cell there, so quotes close at the ends of cells.
const cells = [
  'a',
  'b c',
  '',
  '',
  '1',
  'c"d',
  'e ""',
  '\r',
  ';',
  '"x,y;"',
  '"x""\n"',
  '"\r\n"',
  '""',
];
const ends = ['', '', '\n', '\r\n', '"open', '"x""', '\n\n'];

function rowsOf(text: string, delimiter: string): string[][] | 'open quote' {
  const scanner = new CsvScanner(text, delimiter);
  const rows: string[][] = [];
  try {
    for (let row = scanner.next(Infinity); row; row = scanner.next(Infinity)) {
      rows.push(row);
    }
    return rows;
  } catch (error) {
    expect(error).toBe(scanner.openQuote);
    return 'open quote';
  }
}

function rowsOfCsv42(text: string, delimiter: string): string[][] | 'open quote' {
  const setValue = (row: { cells?: string[] }, value: unknown) => {
    row.cells = [...(row.cells ?? []), String(value)];
  };
  const columns = Array.from({ length: 100 }, (_, index) => ({ name: '', index, setValue }));
  const options = { delimiter, header: false, parseValue: (value: string) => value };
  try {
    const rows = csv2json<{ cells?: string[] }>(text, { ...options, fields: () => columns });
    return rows.map(({ cells }) => cells ?? []);
  } catch {
    return 'open quote';
  }
}

test('rows and cells are those that csv42 finds', () => {
  let seed = 1;
  const below = (limit: number) => {
    seed = (seed * 1664525 + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * limit);
  };
  const some = (list: readonly string[]) => list[below(list.length)] ?? '';
  for (let i = 0; i < 2000; i++) {
    const delimiter = i % 4 === 0 ? ';' : ',';
    const separators = [delimiter, delimiter, delimiter, '\n', '\r\n'];
    const all = cells.filter((cell) => cell !== ';' || delimiter === ',');
    let text = some(all);
    for (let n = below(12); n > 0; n--) {
      text += some(separators) + some(all);
    }
    text += some(text.endsWith('"') ? ['', '\n'] : ends);
    expect(rowsOf(text, delimiter), JSON.stringify(text)).toEqual(rowsOfCsv42(text, delimiter));
  }
});

test('a row of which few cells are kept is counted to its end', () => {
  const scanner = new CsvScanner('a,b,c,d\n1', ',');
  expect(scanner.next(2)).toEqual(['a', 'b']);
  expect(scanner.cells).toBe(4);
  expect(scanner.next(2)).toEqual(['1']);
});

test('text after a quoted part belongs to its cell', () => {
  expect(rowsOf('"a" b,c\n"d""e"f"g",h', ',')).toEqual([
    ['a b', 'c'],
    ['d"ef"g"', 'h'],
  ]);
});
