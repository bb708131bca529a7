// The same file, the same text: the page's vectors and Node's must be the same numbers, in both builds.

import { readFile } from 'node:fs/promises';
import { createIndex, type Doc, open } from 'ambry';
import { expect, test } from './fixtures.ts';

const kModel = new URL('../dist/site/models/english-192x1.weights', import.meta.url);
const kNotes = new URL('../web/demo/corpus/everyday.json', import.meta.url);

/** The rows of an index file; core/search/README.md has its layout. */
function rowsOf(file: Buffer): { readonly dim: number; readonly rows: Float32Array } {
  const dim = file.readUInt32LE(12);
  const count = Number(file.readBigUInt64LE(16));
  const begin = Number(file.readBigUInt64LE(32));
  const rows = new Float32Array(dim * count);
  for (let row = 0; row < count; row++) {
    const at = begin + row * (4 + dim);
    const scale = file.readFloatLE(at);
    for (let i = 0; i < dim; i++) rows[row * dim + i] = scale * file.readInt8(at + 4 + i);
  }
  return { dim, rows };
}

/** Of the baseline build, which computes the same everywhere. */
async function rowsOfNode(): Promise<Float32Array> {
  const notes = JSON.parse(await readFile(kNotes, 'utf8')) as { passages: Doc[] };
  const model = await open(await readFile(kModel), { kind: 'encoder', deterministic: true });
  const index = await createIndex(model, notes.passages);
  const file = Buffer.from(await (await index.save()).arrayBuffer());
  await index.dispose();
  await model.dispose();
  return rowsOf(file).rows;
}

function largestDifference(a: Float32Array, b: Float32Array): number {
  return a.reduce((most, value, at) => Math.max(most, Math.abs(value - (b[at] ?? Number.NaN))), 0);
}

// The relaxed build may round sums of int8 products otherwise than the baseline one.
// A number that moves past a half becomes the next byte, a step further.
const kBounds = { baseline: 0, relaxed: 2e-3 + 3e-3 } as const;

for (const flavour of ['baseline', 'relaxed'] as const) {
  test(`the ${flavour} build embeds in the page as the baseline does in Node`, async ({
    search,
  }) => {
    await search.open(`?flavour=${flavour}`);
    const name = flavour === 'relaxed' ? 'relaxed SIMD' : 'SIMD';
    await expect(search.fact(search.model, 'WebAssembly')).toHaveText(name);
    await search.ask('trouble falling asleep at night');
    await expect(search.results.first()).toContainText('Insomnia often yields to plain habits');
    const { dim, rows } = rowsOf(await search.exportIndex());
    const expected = await rowsOfNode();
    expect(dim).toBe(192);
    expect(rows.length).toBe(expected.length);
    expect(largestDifference(rows, expected)).toBeLessThanOrEqual(kBounds[flavour]);
  });
}
