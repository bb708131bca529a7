// The rows of CSV, beside another reader's.
import { csv2json } from 'csv42';
import { expect, test } from 'vitest';
import { CsvScanner } from '../../../../web/src/passages/records/csv-scanner.ts';

const parts = ['a', 'b c', ',', ',', ';', '"', '""', '\n', '\r\n', '\r', '1', '"x,y"', '"x""\n"'];

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
  for (let i = 0; i < 2000; i++) {
    const text = Array.from({ length: 1 + below(14) }, () => parts[below(parts.length)]).join('');
    const delimiter = i % 4 === 0 ? ';' : ',';
    expect(rowsOf(text, delimiter), JSON.stringify(text)).toEqual(rowsOfCsv42(text, delimiter));
  }
});

test('a row of which few cells are kept is counted to its end', () => {
  const scanner = new CsvScanner('a,b,c,d\n1', ',');
  expect(scanner.next(2)).toEqual(['a', 'b']);
  expect(scanner.cells).toBe(4);
  expect(scanner.next(2)).toEqual(['1']);
});
