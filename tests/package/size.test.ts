// What a visitor of the search page downloads: all JavaScript and one of the two WebAssembly builds,
// compressed as servers do. The budget is a promise; a change that breaks it has to earn its bytes.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { expect, test } from 'vitest';

const kBudget = 90 * 1000;
const assets = fileURLToPath(new URL('../../dist/site/assets/', import.meta.url));

function brotli(file: string): number {
  const bytes = readFileSync(file);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return brotliCompressSync(bytes, { params }).length;
}

test('JavaScript and WebAssembly of the page stay in the budget', () => {
  const files = readdirSync(assets).filter((name) => /\.(js|mjs|wasm)$/.test(name));
  const rows = files
    .map((name) => ({
      name,
      raw: readFileSync(join(assets, name)).length,
      br: brotli(join(assets, name)),
    }))
    .sort((a, b) => b.br - a.br);
  const wasm = rows.filter(({ name }) => name.endsWith('.wasm'));
  const code = rows.filter(({ name }) => !name.endsWith('.wasm'));
  expect(wasm).toHaveLength(2);
  const total = (wasm[0]?.br ?? 0) + code.reduce((sum, { br }) => sum + br, 0);
  const lines = rows.map(({ name, raw, br }) =>
    [basename(name).padEnd(34), String(raw).padStart(9), String(br).padStart(8)].join(' '),
  );
  console.log(
    [
      `${'what a page downloads'.padEnd(34)} ${'bytes'.padStart(9)} ${'brotli'.padStart(8)}`,
      ...lines,
      `${'all code and the larger build'.padEnd(44)} ${String(total).padStart(8)} of ${kBudget}`,
    ].join('\n'),
  );
  expect(total).toBeLessThanOrEqual(kBudget);
});
