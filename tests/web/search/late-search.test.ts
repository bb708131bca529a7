// The built package in Node: indexes of models with late interaction, which have a vector for each token.
import { describe, expect, test } from 'vitest';
import {
  colbertDirectory,
  lateDim,
  maxSim,
  pylateDirectory,
  queryLength,
} from '../support/directories/late-directories.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { openEncoder } from '../support/open-kinds.ts';
import { ambry, smallModel } from '../support/package.ts';

const { createIndex, openIndex } = ambry;
const passages = [
  { id: 'a', text: 'the cat sat on the mat.', page: 1 },
  { id: 'b', text: 'dog ran home!' },
  { text: 'the mat, the mat, the mat' },
  { id: 'd', text: 'a home' },
];

const model = await forAllTests(openEncoder(colbertDirectory()));

async function scoresOf(query: string): Promise<number[]> {
  const asked = await model.embedTokens(query, { as: 'query' });
  const matrices = await model.embedTokens(passages.map(({ text }) => text));
  return matrices.map((matrix) => maxSim(asked, matrix));
}

describe('an index with a vector for each token', () => {
  test('is searched by MaxSim', async () => {
    await using index = await createIndex(model, passages);
    await using floats = await createIndex(model, passages, { vectors: 'f32' });
    expect(index).toMatchObject({ size: 4, dim: lateDim, vectors: 'int8' });
    for (const query of ['the mat', 'dog ran home', '']) {
      const scores = await scoresOf(query);
      const hits = await floats.search(query);
      expect(hits).toHaveLength(4);
      for (const { doc, score, cosine } of hits) {
        expect(score).toBeCloseTo(scores[passages.indexOf(doc as never)] ?? Number.NaN, 4);
        expect(cosine).toBeCloseTo(score / queryLength, 6);
      }
      const best = hits.map(({ score }) => score);
      expect(best).toEqual(best.toSorted((a, b) => b - a));
      // Bytes are off by half a step, 1/254 of the largest number.
      const rounded = await index.search(query);
      for (const { id, score } of rounded) {
        const exact = hits.find((hit) => hit.id === id)?.score ?? Number.NaN;
        expect(Math.abs(score - exact)).toBeLessThan(0.02 * queryLength);
      }
    }
  });

  test('gives the mean vector of each passage', async () => {
    await using index = await createIndex(model, passages, { vectors: 'f32' });
    const found = await index.passageVectors();
    expect(found).toHaveLength(passages.length * lateDim);
    const matrices = await model.embedTokens(passages.map(({ text }) => text));
    for (const [i, matrix] of matrices.entries()) {
      for (let j = 0; j < lateDim; j += 1) {
        const values = [...matrix].filter((_, at) => at % lateDim === j);
        const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
        expect(found[i * lateDim + j]).toBeCloseTo(mean, 5);
      }
    }
  });

  test('grows and shrinks', async () => {
    await using index = await createIndex(model, passages.slice(0, 2));
    await index.add(passages.slice(2));
    expect(index.size).toBe(4);
    expect(await index.remove(({ id }) => id === 'a')).toBe(1);
    expect(index.size).toBe(3);
    await using other = await createIndex(model, passages.slice(1));
    const query = 'the mat';
    const scores = (hits: readonly { text: string; score: number }[]) =>
      hits.map(({ text, score }) => [text, score]);
    expect(scores(await index.search(query))).toEqual(scores(await other.search(query)));
    await index.add([{ id: 'new', text: 'cat' }]);
    expect((await index.search('cat')).map(({ id }) => id)).toContain('new');
  });

  test('adds no passages when it is stopped', async () => {
    await using index = await createIndex(model, passages);
    const many = Array.from({ length: 5000 }, () => ({ text: 'the dog ran on the mat' }));
    const controller = new AbortController();
    const { signal } = controller;
    const adding = index.add(many, { signal, onProgress: () => controller.abort() });
    await expect(adding).rejects.toMatchObject({ name: 'AbortError' });
    expect(index.size).toBe(4);
    expect(await index.search('cat')).toHaveLength(4);
  });

  test('is searched by words, too, and with a filter', async () => {
    await using index = await createIndex(model, passages);
    const plain = await index.search('home');
    const hits = await index.search('home', { hybrid: true });
    for (const { id, cosine, score, terms } of hits) {
      expect(cosine).toBeCloseTo(plain.find((hit) => hit.id === id)?.cosine ?? Number.NaN, 6);
      const hasWord = terms?.includes('home') === true;
      // Half of the cosine, and half of a word score from 0 to 1.
      if (hasWord) {
        expect(score).toBeGreaterThan(cosine / 2);
      } else {
        expect(score).toBeCloseTo(cosine / 2, 5);
      }
      expect(score).toBeLessThanOrEqual(cosine / 2 + 0.5 + 1e-6);
    }
    expect(
      hits
        .filter(({ terms }) => terms?.length)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(['b', 'd']);
    const filtered = await index.search('home', { filter: ({ id }) => id === 'd' });
    expect(filtered).toEqual(plain.filter(({ id }) => id === 'd'));
  });

  test('is loaded from its file', async () => {
    for (const vectors of ['int8', 'f32'] as const) {
      await using index = await createIndex(model, passages, { vectors });
      const saved = await index.save({ model: 'colbert.weights' });
      const opener = async ({ reference, dim }: { reference: string | null; dim: number }) => {
        expect({ reference, dim }).toEqual({ reference: 'colbert.weights', dim: lateDim });
        return model;
      };
      for (const opened of [model, opener]) {
        await using loaded = await openIndex(saved, { model: opened });
        expect(loaded).toMatchObject({ size: 4, dim: lateDim, vectors });
        expect(await loaded.search('the mat')).toEqual(await index.search('the mat'));
        await loaded.add([{ id: 'new', text: 'cat' }]);
        expect(loaded.size).toBe(5);
      }
    }
  });

  test('knows the model that made it', async () => {
    await using index = await createIndex(model, passages);
    const saved = await index.save();
    await using other = await openEncoder(colbertDirectory({}, 5));
    await using usual = await openEncoder(await smallModel());
    for (const wrong of [other, usual]) {
      const loading = openIndex(saved, { model: wrong });
      await expect(loading).rejects.toMatchObject({ code: 'Mismatch', path: 'model' });
    }
    await using same = await openEncoder(pylateDirectory());
    await using loaded = await openIndex(saved, { model: same });
    expect(loaded.size).toBe(4);
    await using rows = await createIndex(usual, passages);
    const swapped = openIndex(await rows.save(), { model });
    await expect(swapped).rejects.toMatchObject({ code: 'Mismatch', path: 'model' });
  });

  test('is refused when its file is damaged', async () => {
    await using index = await createIndex(model, passages);
    const file = new Uint8Array(await (await index.save()).arrayBuffer());
    const damaged = file.slice();
    damaged[damaged.length - 6] = 9;
    const loading = openIndex(damaged, { model });
    await expect(loading).rejects.toMatchObject({ code: 'Mismatch', path: 'crc32' });
    const cut = openIndex(file.subarray(0, file.length - 3), { model });
    await expect(cut).rejects.toMatchObject({ code: 'Truncated' });
  });

  test('keeps no vectors', async () => {
    const making = createIndex(model, passages, { keep: 'late' });
    await expect(making).rejects.toMatchObject({ code: 'Unsupported', path: 'options.keep' });
  });
});

test('such a model sorts the hits of another index anew', async () => {
  await using usual = await openEncoder(await smallModel());
  await using index = await createIndex(usual, passages);
  const hits = await index.search('the mat', { rerank: model, candidates: 4, k: 3 });
  const scores = await scoresOf('the mat');
  expect(hits).toHaveLength(3);
  for (const { doc, score } of hits) {
    expect(score).toBeCloseTo(scores[passages.indexOf(doc as never)] ?? Number.NaN, 4);
  }
});
