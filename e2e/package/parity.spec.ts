// For the same model and text, the page computes the same vectors as Node: a transformer in both builds, and the built-in
// static encoder, which has one.

import { readFile } from 'node:fs/promises';
import { createIndex, type Doc, open } from 'ambry';
import { expect } from '../fixtures.ts';
import { test } from '../pages/search-page.ts';

const modelUrl = (name: string) =>
  new URL(`../../packages/demo/site/models/${name}.weights`, import.meta.url);
const [transformer, builtIn] = ['english-192x1', 'english-static-336'];
const notesUrl = new URL('../../web/demo/corpus/everyday.json', import.meta.url);

/** The rows of an index file. core/search/README.md describes its layout. */
function rowsOf(file: Buffer): { readonly dim: number; readonly rows: Float32Array } {
  const dim = file.readUInt32LE(12);
  const count = Number(file.readBigUInt64LE(16));
  const begin = Number(file.readBigUInt64LE(32));
  const rows = new Float32Array(dim * count);
  for (let row = 0; row < count; row++) {
    const at = begin + row * (4 + dim);
    const scale = file.readFloatLE(at);
    for (let i = 0; i < dim; i++) {
      rows[row * dim + i] = scale * file.readInt8(at + 4 + i);
    }
  }
  return { dim, rows };
}

/** The rows that Node computes with the baseline build, which gives the same results on every machine. */
async function rowsOfNode(name: string): Promise<Float32Array> {
  const notes = JSON.parse(await readFile(notesUrl, 'utf8')) as { passages: Doc[] };
  const model = await open(await readFile(modelUrl(name)), {
    kind: 'encoder',
    deterministic: true,
  });
  const index = await createIndex(model, notes.passages);
  const file = Buffer.from(await (await index.save()).arrayBuffer());
  await index.dispose();
  await model.dispose();
  return rowsOf(file).rows;
}

function largestDifference(a: Float32Array, b: Float32Array): number {
  return a.reduce((most, value, at) => Math.max(most, Math.abs(value - (b[at] ?? Number.NaN))), 0);
}

// The relaxed build may round sums of int8 products in another way than the baseline build. The index then may round a
// value to the next byte.
const bounds = { baseline: 0, relaxed: 2e-3 + 3e-3 } as const;

for (const flavour of ['baseline', 'relaxed'] as const) {
  test(`the ${flavour} build computes the same vectors in the page as the baseline build in Node`, async ({
    search,
  }) => {
    await search.open(`?flavour=${flavour}`);
    const buffer = await readFile(modelUrl(transformer));
    await search.chooseModel({ name: `${transformer}.weights`, buffer });
    await expect(search.fact(search.index, 'Dimensions')).toHaveText('192');
    const name = flavour === 'relaxed' ? 'relaxed SIMD' : 'SIMD';
    await expect(search.fact(search.model, 'WebAssembly')).toHaveText(name);
    await search.ask('trouble falling asleep at night');
    await expect(search.results.first()).toContainText('Insomnia often yields to plain habits');
    const { dim, rows } = rowsOf(await search.exportIndex());
    const expected = await rowsOfNode(transformer);
    expect(dim).toBe(192);
    expect(rows.length).toBe(expected.length);
    expect(largestDifference(rows, expected)).toBeLessThanOrEqual(bounds[flavour]);
  });
}

test('the built-in encoder computes the same vectors in the page as in Node', async ({
  search,
}) => {
  const { dim, rows } = rowsOf(await search.exportIndex());
  expect(dim).toBe(336);
  expect(largestDifference(rows, await rowsOfNode(builtIn))).toBe(0);
});
