// What a visitor of the search page downloads to search: the page's JavaScript, the worker that runs
// models and one of its two WebAssembly flavours, compressed as servers do. The worker that converts is
// fetched only by who converts, and listed apart. The budget is a promise; a change that breaks it has to earn its bytes.
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
  const onDemand = rows.filter(({ name }) => /^(worker|ambry-(baseline|relaxed))-/.test(name));
  const wasm = rows.filter(({ name }) => /^ambry-run-.*\.wasm$/.test(name));
  const code = rows.filter((row) => !row.name.endsWith('.wasm') && !onDemand.includes(row));
  expect(wasm).toHaveLength(2);
  expect(onDemand).toHaveLength(3);
  const total = (wasm[0]?.br ?? 0) + code.reduce((sum, { br }) => sum + br, 0);
  const lines = rows.map(({ name, raw, br }) =>
    [basename(name).padEnd(34), String(raw).padStart(9), String(br).padStart(8)].join(' '),
  );
  console.log(
    [
      `${'what the site holds'.padEnd(34)} ${'bytes'.padStart(9)} ${'brotli'.padStart(8)}`,
      ...lines,
      `${'what searching downloads, larger flavour'.padEnd(44)} ${String(total).padStart(8)} of ${kBudget}`,
    ].join('\n'),
  );
  expect(total).toBeLessThanOrEqual(kBudget);
});
