// The built package in Node: indexes of sparse vectors beside those of another model.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SearchIndex, SparseEncoder } from '../../../web/src/index.ts';
import { colbertDirectory } from '../support/directories/late-directories.ts';
import { spladeDirectory } from '../support/directories/sparse-directories.ts';
import { openEncoder } from '../support/open-kinds.ts';
import { ambry } from '../support/package.ts';
import { ByteServer, contentOf } from '../support/servers/byte-server.ts';
import {
  bytesOf,
  dense,
  dotsOf,
  model,
  passages,
  queries,
  textsOf,
  withoutText,
} from './sparse-passages.ts';

const { createIndex, open, openIndex } = ambry;

describe('an index of dense and sparse vectors', () => {
  let index: SearchIndex;
  beforeAll(async () => {
    index = await createIndex(dense, passages, { sparse: model });
  });
  afterAll(() => index.dispose());

  /** What the definition gives: the cosine, and the share of the best sparse score. */
  async function expectedScores(query: string, weight: number): Promise<Map<string, number>> {
    await using alone = await createIndex(dense, passages);
    const dots = await dotsOf(query);
    const best = Math.max(...dots.values());
    const hits = await alone.search(query);
    return new Map(
      hits.map(({ text, cosine }) => [
        text,
        (1 - weight) * cosine + (best > 0 ? (weight * (dots.get(text) ?? 0)) / best : 0),
      ]),
    );
  }

  test('ranks by both', async () => {
    expect(index).toMatchObject({ size: 4, dim: dense.dim, vectors: 'int8', hasSparse: true });
    for (const query of queries) {
      const dots = await dotsOf(query);
      for (const [sparse, weight] of [
        [undefined, 0.5],
        [true, 0.5],
        [0.2, 0.2],
      ] as const) {
        const expected = await expectedScores(query, weight);
        const hits = await index.search(query, sparse === undefined ? {} : { sparse });
        expect(hits).toHaveLength(4);
        for (const hit of hits) {
          expect(hit.score).toBeCloseTo(expected.get(hit.text) ?? Number.NaN, 5);
          expect(hit.sparse).toBeCloseTo(dots.get(hit.text) ?? Number.NaN, 5);
        }
        const scores = hits.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      }
    }
  });

  test('ranks by one of them', async () => {
    await using alone = await createIndex(dense, passages);
    for (const sparse of [false, 0]) {
      const hits = await index.search('the mat', { sparse });
      expect(hits).toEqual(await alone.search('the mat'));
    }
    const dots = await dotsOf('the mat');
    const hits = await index.search('the mat', { sparse: 1 });
    const order = [...dots].toSorted(([, a], [, b]) => b - a).map(([text]) => text);
    expect(textsOf(hits)).toEqual(order);
  });

  test('counts words, too, and a filter leaves out passages', async () => {
    const both = await index.search('home');
    const hits = await index.search('home', { hybrid: 0.5 });
    for (const { text, score, terms } of hits) {
      const rest = 0.5 * (both.find((hit) => hit.text === text)?.score ?? Number.NaN);
      if (terms?.includes('home')) {
        expect(score).toBeGreaterThan(rest + 0.01);
        expect(score).toBeLessThanOrEqual(rest + 0.5 + 1e-5);
      } else {
        expect(score).toBeCloseTo(rest, 5);
      }
    }
    const filtered = await index.search('home', { filter: ({ id }) => id === 'd', sparse: 0.5 });
    // The best score is that of the passages that the filter leaves.
    expect(filtered).toMatchObject([
      { id: 'd', cosine: both.find(({ id }) => id === 'd')?.cosine },
    ]);
    expect(filtered[0]?.score).toBeCloseTo(0.5 * (filtered[0]?.cosine ?? Number.NaN) + 0.5, 5);
  });

  test('refuses other weights', async () => {
    for (const sparse of [1.5, -1]) {
      await expect(index.search('cat', { sparse })).rejects.toMatchObject({
        code: 'BadValue',
        path: 'options.sparse',
      });
    }
    await using plain = await createIndex(dense, passages);
    const refused = expect(plain.search('cat', { sparse: true })).rejects;
    await refused.toMatchObject({ code: 'Unsupported', path: 'options.sparse' });
    const keeping = createIndex(dense, passages, { sparse: model, keep: 'x' });
    await expect(keeping).rejects.toMatchObject({ path: 'options.keep' });
    const wrong = createIndex(dense, passages, { sparse: dense as unknown as SparseEncoder });
    await expect(wrong).rejects.toMatchObject({ code: 'BadValue', path: 'options.sparse' });
  });

  test('grows, shrinks and reports the progress of both', async () => {
    await using growing = await createIndex(dense, passages.slice(0, 1), { sparse: model });
    const totals = new Set<number>();
    const loaded: number[] = [];
    const onProgress = (part: { loaded: number; total?: number | undefined }) => {
      totals.add(part.total ?? Number.NaN);
      loaded.push(part.loaded);
    };
    await growing.add(passages.slice(1), { onProgress });
    expect([...totals]).toEqual([6]);
    expect(loaded).toEqual(loaded.toSorted((a, b) => a - b));
    expect(loaded.at(-1)).toBe(6);
    expect(withoutText(await growing.search('the mat'))).toEqual(
      withoutText(await index.search('the mat')),
    );
    await growing.remove(({ id }) => id === 'a');
    await using other = await createIndex(dense, passages.slice(1), { sparse: model });
    const scored = async (one: SearchIndex) =>
      (await one.search('home')).map(({ text, score }) => [text, score]);
    expect(await scored(growing)).toEqual(await scored(other));
  });

  test('is loaded from its file, which has both', async () => {
    const saved = await index.save({ model: 'dense.weights', sparse: 'splade.weights' });
    const sparse = async (indexed: object) => {
      expect(indexed).toMatchObject({ reference: 'splade.weights', kind: 'sparseEncoder' });
      return model;
    };
    const opener = async (indexed: object) => {
      expect(indexed).toMatchObject({ reference: 'dense.weights', dim: dense.dim });
      return dense;
    };
    for (const options of [
      { model: dense, sparse: model },
      { model: opener, sparse },
    ]) {
      await using loaded = await openIndex(saved, options);
      expect(loaded).toMatchObject({ size: 4, hasSparse: true, computesAlike: true });
      for (const query of queries) {
        expect(await loaded.search(query)).toEqual(await index.search(query));
      }
      await loaded.add([{ id: 'new', text: 'cat' }]);
      expect(loaded.size).toBe(5);
      expect(await loaded.remove(({ id }) => id === 'new')).toBe(1);
      expect(await loaded.search('the mat')).toEqual(await index.search('the mat'));
    }
    const stream = new Blob([await bytesOf(index)]).stream();
    await using streamed = await openIndex(stream, { model: dense, sparse: model });
    expect(await streamed.search('the mat')).toEqual(await index.search('the mat'));
  });

  test.each([true, false])('is loaded over HTTP, with ranges: %s', async (ranges) => {
    const server = await ByteServer.start();
    try {
      const content = contentOf(await bytesOf(index));
      const { url } = server.serve('docs.ambryindex', { content, ranges });
      await using loaded = await openIndex(url, { model: dense, sparse: model });
      expect(await loaded.search('the mat')).toEqual(await index.search('the mat'));
    } finally {
      server.close();
    }
  });

  test('asks for both models, and knows them', async () => {
    const saved = await index.save();
    const refused = async (options: object, path: string) => {
      const loading = openIndex(saved, options as Parameters<typeof openIndex>[1]);
      await expect(loading).rejects.toMatchObject({ code: 'Mismatch', path });
    };
    await refused({ model: dense }, 'options.sparse');
    await refused({ model, sparse: model }, 'model');
    await using other = await open(spladeDirectory({ pooling_strategy: 'sum' }));
    await refused({ model: dense, sparse: other }, 'sparse');
    await using plain = await createIndex(dense, passages);
    const tooMany = openIndex(await plain.save(), { model: dense, sparse: model });
    await expect(tooMany).rejects.toMatchObject({ code: 'Mismatch', path: 'options.sparse' });
    const notCalled = () => Promise.reject(new Error('called'));
    await using opened = await openIndex(await plain.save(), { model: dense, sparse: notCalled });
    expect(opened.hasSparse).toBe(false);
  });

  test('says where a damaged file is damaged', async () => {
    const file = await bytesOf(index);
    const first = Number(new DataView(file.buffer).getBigUint64(40, true));
    const models = { model: dense, sparse: model };
    const damaged = file.slice();
    damaged[file.length - 6] = 9;
    const loading = openIndex(damaged, models);
    const place = { code: 'Mismatch', path: 'crc32', byteOffset: file.length - 4 };
    await expect(loading).rejects.toMatchObject(place);
    const magic = file.slice();
    magic[first] = 0;
    await expect(openIndex(magic, models)).rejects.toMatchObject({
      code: 'BadMagic',
      byteOffset: first,
    });
    for (const length of [file.length - 3, first + 7, first - 1, 50, 20]) {
      const cut = openIndex(file.slice(0, length), models);
      await expect(cut, `${length}`).rejects.toMatchObject({ code: 'Truncated' });
    }
    // Without its second half, the file has a header for two.
    const half = openIndex(file.slice(0, first), models);
    await expect(half).rejects.toMatchObject({ code: 'Mismatch', path: 'header' });
  });

  test('gives the dense vectors', async () => {
    await using alone = await createIndex(dense, passages);
    expect(await index.passageVectors()).toEqual(await alone.passageVectors());
  });

  test('may have a vector for each token', async () => {
    await using late = await openEncoder(colbertDirectory());
    await using fused = await createIndex(late, passages, { sparse: model });
    await using alone = await createIndex(late, passages);
    const [plain, dots] = [await alone.search('the mat'), await dotsOf('the mat')];
    const best = Math.max(...dots.values());
    for (const { text, score, cosine } of await fused.search('the mat')) {
      expect(cosine).toBeCloseTo(plain.find((hit) => hit.text === text)?.cosine ?? 9, 6);
      expect(score).toBeCloseTo(cosine / 2 + (dots.get(text) ?? 0) / best / 2, 5);
    }
    await using loaded = await openIndex(await fused.save(), { model: late, sparse: model });
    expect(await loaded.search('the mat')).toEqual(await fused.search('the mat'));
  });

  test('answers and is ranked anew as others are', async () => {
    const rank = async (_query: string, documents: readonly string[]) =>
      documents.map((_, i) => ({ index: documents.length - 1 - i, score: i }));
    const hits = await index.search('the mat', { rerank: { rank }, candidates: 4, k: 2 });
    const plain = await index.search('the mat');
    expect(textsOf(hits)).toEqual(textsOf(plain).toReversed().slice(0, 2));
    expect(hits[0]?.retrievalScore).toBe(plain.at(-1)?.score);
  });
});
