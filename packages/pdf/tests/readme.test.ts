// The examples of the README, and what each entry tells `ambry`.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runReadmeExample } from '../../../tests/web/support/cli/readme-example.ts';
import { paragraph, pdfFile } from '../../../tests/web/support/files/pdf-file.ts';

const packed = new URL('../', import.meta.url);
const key = Symbol.for('ambry-pdf');

test('the example of the README reads a PDF in Node', async () => {
  const pdf = pdfFile([{ lines: paragraph(700, 'The ferry leaves at noon.') }]);
  const printed = await runReadmeExample(new URL('README.md', packed), { 'guide.pdf': pdf });
  expect(printed.trim()).toBe('1 The ferry leaves at noon.');
});

test.each([
  ['index', ['loadPdfjs', 'startWorker']],
  ['node', ['address', 'loadPdfjs']],
  ['in-thread', ['loadPdfjs']],
])('the entry %s offers PDF.js', async (name, offered) => {
  expect(readFileSync(new URL('README.md', packed), 'utf8')).toContain("import 'ambry-pdf");
  await import(new URL(`dist/${name}.js`, packed).href);
  const found = Reflect.get(globalThis, key) as { loadPdfjs: () => Promise<object> };
  expect(Object.keys(found).sort()).toEqual(offered);
  expect(Object.keys(await found.loadPdfjs())).toEqual(['getDocument']);
});

test('the worker imports PDF.js, and nothing else', () => {
  const code = readFileSync(new URL('dist/pdf-worker.js', packed), 'utf8');
  const imported = [...code.matchAll(/\bfrom\s*['"]([^'"]+)['"]|\bimport\(/g)].map(([, to]) => to);
  expect(imported).toEqual(['./pdfjs.js']);
});

test('PDF.js comes with its licenses', () => {
  const code = readFileSync(new URL('dist/pdfjs.js', packed), 'utf8');
  const [first = ''] = /^\/\*!.*?\*\//s.exec(code) ?? [];
  expect(first).toContain('! unpdf');
  expect(first).toContain('Copyright Mozilla Foundation. Licensed under the Apache License');
});
