// The word vectors that the words page has built in: the file is the one that was described, it is sound,
// and it reaches the word-similarity scores that its README states.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { dataPath } from '../data-folder.mjs';
import { spearman } from '../eval/measures.ts';
import { describeWithData } from './support/data.ts';
import { forAllTests } from './support/for-all-tests.ts';
import { openWords } from './support/open-kinds.ts';
import { ambry } from './support/package.ts';

const root = path.resolve(import.meta.dirname, '../..');
const models = path.join(root, 'web/demo/public/models');
const shipped = path.join(models, 'books-96.fifu');
const sets = 'eval/word-similarity';

const model = await forAllTests(openWords(shipped));

test('every built-in model has the stated SHA-256', async () => {
  const sums = (await readFile(path.join(models, 'SHA256SUMS'), 'utf8')).trim().split('\n');
  expect(sums).toHaveLength(11);
  for (const line of sums) {
    const [sum = '', name = ''] = line.split(/\s+/);
    const bytes = await readFile(path.join(models, name));
    expect(createHash('sha256').update(bytes).digest('hex'), name).toBe(sum);
  }
});

test('the file is valid in strict reading', async () => {
  const { valid, warnings } = await ambry.validate(shipped, { strict: true, values: true });
  expect({ valid, warnings }).toEqual({ valid: true, warnings: [] });
});

test('it has the words that its README states', () => {
  expect(model.info.words).toMatchObject({
    storage: 'quantized',
    size: 19_915,
    dim: 96,
    hasNorms: true,
  });
});

test('it solves king − man + woman, and has vectors of unknown words', async () => {
  const [best] = (await model.analogy('man', 'king', 'woman')) ?? [];
  expect(best?.word).toBe('queen');
  const near = (await model.similar('moonlike', { k: 5 })) ?? [];
  expect(near.map(({ word }) => word).join(' ')).toMatch(/moon/);
});

/** Spearman's correlation over the pairs of a set whose words are both in the list. */
async function similarity(name: string): Promise<{ score: number; pairs: number }> {
  const text = await readFile(dataPath(`${sets}/EN-${name}.txt`), 'utf8');
  const rows = text
    .trim()
    .split('\n')
    .map((line) => line.toLowerCase().trim().split(/\s+/));
  const { vectors, found } = (await model?.vectors(rows.flatMap(([a = '', b = '']) => [a, b]))) ?? {
    vectors: new Float32Array(),
    found: [],
  };
  const dim = model.dim;
  const at = (i: number): Float32Array => vectors.subarray(i * dim, (i + 1) * dim);
  const cosine = (a: Float32Array, b: Float32Array): number => {
    const dot = (x: Float32Array, y: Float32Array): number =>
      x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
    return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
  };
  const known = rows
    .map((row, i) => ({ row, i }))
    .filter(({ i }) => found[2 * i] === 'known' && found[2 * i + 1] === 'known');
  const score = spearman(
    known.map(({ i }) => cosine(at(2 * i), at(2 * i + 1))),
    known.map(({ row }) => Number(row[2])),
  );
  return { score, pairs: known.length };
}

describeWithData('word similarity, Spearman', [sets], () => {
  test.each([
    ['WS-353-ALL', 0.559],
    ['WS-353-SIM', 0.713],
    ['WS-353-REL', 0.433],
    ['MTurk-771', 0.664],
    ['YP-130', 0.437],
  ])('%s as its README states', async (name, stated) => {
    const { score, pairs } = await similarity(name);
    console.log(`${name}: ${score.toFixed(3)} over ${pairs} pairs`);
    expect(Math.abs(score - stated)).toBeLessThan(0.002);
  });
});
