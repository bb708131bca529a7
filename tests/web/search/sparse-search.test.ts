// The built package in Node: indexes of sparse vectors alone.
import { describe, expect, test } from 'vitest';
import type { SearchIndex, SparseEncoder } from '../../../web/src/index.ts';
import { routedDirectory, spladeDirectory } from '../support/directories/sparse-directories.ts';
import { ambry } from '../support/package.ts';
import { ByteServer, contentOf } from '../support/servers/byte-server.ts';
import { bytesOf, dense, dotsOf, model, passages, queries, textsOf } from './sparse-passages.ts';

const { createIndex, open, openIndex } = ambry;

describe('an index of sparse vectors alone', () => {
  test('gives the scores of sparseDot, the best first', async () => {
    await using index = await createIndex(model, passages);
    expect(index).toMatchObject({ size: 4, dim: model.dimensions, vectors: 'f32' });
    expect(index.hasSparse).toBe(false);
    for (const query of queries) {
      const dots = await dotsOf(query);
      const hits = await index.search(query);
      const matching = [...dots.values()].filter((score) => score !== 0);
      expect(hits).toHaveLength(matching.length);
      for (const { text, score, sparse } of hits) {
        expect(score).toBe(Math.fround(dots.get(text) ?? Number.NaN));
        expect(sparse).toBeUndefined();
      }
      const scores = hits.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(await index.search(query, { k: 1 })).toEqual(hits.slice(0, 1));
    }
  });

  test('says the cosine of the vectors', async () => {
    await using index = await createIndex(model, passages);
    const lengthOf = (weights: Float32Array) => Math.hypot(...weights);
    const asked = await model.embedSparse('the mat', { as: 'query' });
    for (const { text, score, cosine } of await index.search('the mat')) {
      const { weights } = await model.embedSparse(text);
      expect(cosine).toBeCloseTo(score / lengthOf(weights) / lengthOf(asked.weights), 6);
    }
  });

  test('finds only passages with a word of the query', async () => {
    await using few = await open(routedDirectory());
    const sparse = few as SparseEncoder;
    await using index = await createIndex(sparse, passages);
    for (const query of [...queries, '', 'zzz']) {
      const dots = await dotsOf(query, sparse);
      const expected = [...dots].filter(([, score]) => score !== 0).map(([text]) => text);
      expect(textsOf(await index.search(query)).toSorted()).toEqual(expected.toSorted());
    }
  });

  test('grows and shrinks', async () => {
    await using index = await createIndex(model, passages.slice(0, 2));
    await index.add(passages.slice(2));
    expect(await index.remove(({ id }) => id === 'a')).toBe(1);
    await using other = await createIndex(model, passages.slice(1));
    expect(index.size).toBe(3);
    const scored = async (one: SearchIndex) =>
      (await one.search('the mat')).map(({ text, score }) => [text, score]);
    expect(await scored(index)).toEqual(await scored(other));
    await index.add([{ id: 'new', text: 'cat' }]);
    expect((await index.search('cat')).map(({ id }) => id)).toContain('new');
    await index.remove(() => true);
    expect(await index.search('cat')).toEqual([]);
  });

  test('adds no passages when it is stopped', async () => {
    await using index = await createIndex(model, passages);
    const many = Array.from({ length: 3000 }, () => ({ text: 'the dog ran on the mat' }));
    const controller = new AbortController();
    const { signal } = controller;
    const adding = index.add(many, { signal, onProgress: () => controller.abort() });
    await expect(adding).rejects.toMatchObject({ name: 'AbortError' });
    expect(index.size).toBe(4);
  });

  test('is searched by words, too, and with a filter', async () => {
    await using index = await createIndex(model, passages);
    const plain = await index.search('home');
    const best = plain[0]?.score ?? Number.NaN;
    const hits = await index.search('home', { hybrid: 0.25 });
    for (const { text, score, cosine, terms } of hits) {
      const sparse = (plain.find((hit) => hit.text === text)?.score ?? 0) / best;
      const words = (score - 0.75 * sparse) / 0.25;
      expect(words).toBeGreaterThan(-1e-5);
      expect(words).toBeLessThan(1 + 1e-5);
      expect(words > 0.01).toBe(terms?.includes('home') === true);
      expect(cosine).toBe(plain.find((hit) => hit.text === text)?.cosine ?? 0);
    }
    expect(textsOf(hits)).toContain('a home');
    const filtered = await index.search('home', { filter: ({ id }) => id === 'd' });
    expect(filtered).toEqual(plain.filter(({ id }) => id === 'd'));
    const none = await index.search('home', { filter: () => false, hybrid: true });
    expect(none).toEqual([]);
  });

  test('is loaded from its file', async () => {
    await using index = await createIndex(model, passages);
    const saved = await index.save({ model: 'splade.weights' });
    const opener = async (indexed: object) => {
      const { dimensions: dim, kind } = model;
      expect(indexed).toMatchObject({ reference: 'splade.weights', dim, kind });
      return model;
    };
    for (const opened of [model, opener]) {
      await using loaded = await openIndex(saved, { model: opened });
      expect(loaded).toMatchObject({ size: 4, dim: model.dimensions, computesAlike: true });
      for (const query of queries) {
        expect(await loaded.search(query)).toEqual(await index.search(query));
      }
      await loaded.add([{ id: 'new', text: 'cat' }]);
      expect(loaded.size).toBe(5);
    }
  });

  test.each([true, false])('is loaded over HTTP, with ranges: %s', async (ranges) => {
    await using index = await createIndex(model, passages);
    const server = await ByteServer.start();
    try {
      const content = contentOf(await bytesOf(index));
      const { url } = server.serve('docs.ambryindex', { content, ranges });
      await using loaded = await openIndex(url, { model });
      expect(await loaded.search('the mat')).toEqual(await index.search('the mat'));
    } finally {
      server.close();
    }
  });

  test('knows the model that made it', async () => {
    await using index = await createIndex(model, passages);
    const saved = await index.save();
    await using other = await open(spladeDirectory({ pooling_strategy: 'sum' }));
    for (const wrong of [other as SparseEncoder, dense]) {
      const loading = openIndex(saved, { model: wrong });
      await expect(loading).rejects.toMatchObject({ code: 'Mismatch', path: 'model' });
    }
    await using rows = await createIndex(dense, passages);
    const swapped = openIndex(await rows.save(), { model });
    await expect(swapped).rejects.toMatchObject({ code: 'Mismatch', path: 'model' });
    await using fixed = await open(routedDirectory());
    await using ofFixed = await createIndex(fixed as SparseEncoder, passages);
    await using again = await openIndex(await ofFixed.save(), { model: fixed as SparseEncoder });
    expect(again.computesAlike).toBe(true);
  });

  test('is refused when its file is damaged', async () => {
    await using index = await createIndex(model, passages);
    const file = await bytesOf(index);
    const damaged = file.slice();
    damaged[damaged.length - 6] = 9;
    const loading = openIndex(damaged, { model });
    await expect(loading).rejects.toMatchObject({ code: 'Mismatch', path: 'crc32' });
    const cut = openIndex(file.subarray(0, file.length - 3), { model });
    await expect(cut).rejects.toMatchObject({ code: 'Truncated' });
  });

  test('refuses options that mean nothing for it', async () => {
    const refused = async (promise: Promise<unknown>, path: string) =>
      expect(promise).rejects.toMatchObject({ code: 'Unsupported', path });
    await refused(createIndex(model, passages, { prompt: 'x' }), 'options.prompt');
    await refused(createIndex(model, passages, { vectors: 'int8' }), 'options.vectors');
    await refused(createIndex(model, passages, { keep: 'x' }), 'options.keep');
    await refused(createIndex(model, passages, { sparse: model }), 'options.sparse');
    await using index = await createIndex(model, passages);
    await refused(index.search('cat', { prompt: 'x' }), 'options.prompt');
    await refused(index.search('cat', { sparse: 0.5 }), 'options.sparse');
    await refused(index.add([{ text: 'x' }], { keep: 'x' }), 'options.keep');
    await refused(index.save({ sparse: 'x' }), 'options.sparse');
    await refused(index.passageVectors(), 'model');
  });
});
