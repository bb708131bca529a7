// Searches whose best passages a reranker sorts anew.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ranker } from '../../../web/src/entries/types.ts';
import type { Encoder, SearchIndex } from '../../../web/src/index.ts';
import { headDirectory } from '../support/directories/head-directories.ts';
import { openEncoder, openReranker } from '../support/open-kinds.ts';
import { ambry, smallModel } from '../support/package.ts';

const docs = Array.from({ length: 30 }, (_, i) => ({
  id: `d${i}`,
  text: `the cat number ${'abcdefghij'[i % 10]} ${i % 3 ? 'sat' : 'ran'} ${'. '.repeat(i % 7)}`,
}));
const query = 'the cat sat .';

let model: Encoder;
let index: SearchIndex;
beforeAll(async () => {
  model = await openEncoder(await smallModel());
  index = await ambry.createIndex(model, docs);
});
afterAll(async () => {
  await index.dispose();
  await model.dispose();
});

/** Ranks texts by their lengths, and notes what it is asked. */
class ByLength implements Ranker {
  readonly asked: { query: string; documents: readonly string[]; k: number }[] = [];
  async rank(query: string, documents: readonly string[], { k }: { k: number }) {
    this.asked.push({ query, documents, k });
    return documents
      .map(({ length }, index) => ({ index, score: length }))
      .toSorted((a, b) => b.score - a.score)
      .slice(0, k);
  }
}

describe('a search with rerank', () => {
  test('sorts the candidates anew and keeps their first scores', async () => {
    const rerank = new ByLength();
    const hits = await index.search(query, { rerank, candidates: 12, k: 4 });
    const found = await index.search(query, { k: 12 });
    expect(rerank.asked).toEqual([{ query, documents: found.map(({ text }) => text), k: 4 }]);
    const longest = found.map(({ text }) => text.length).toSorted((a, b) => b - a);
    expect(hits.map(({ score }) => score)).toEqual(longest.slice(0, 4));
    for (const hit of hits) {
      const before = found.find(({ id }) => id === hit.id);
      expect(hit.retrievalScore).toBe(before?.score);
      expect(hit).toMatchObject({ cosine: before?.cosine, doc: before?.doc });
    }
    expect(found[0]?.retrievalScore).toBeUndefined();
  });

  test('takes a reranker, with hybrid search and a filter', async () => {
    await using rerank = await openReranker(headDirectory());
    const filter = ({ id }: { readonly id?: unknown }) => id !== 'd0';
    const options = { hybrid: true, filter, k: 5 } as const;
    const hits = await index.search(query, { ...options, rerank, candidates: 20 });
    const found = await index.search(query, { ...options, k: 20 });
    const ranked = await rerank.rank(
      query,
      found.map(({ text }) => text),
      { k: 5 },
    );
    expect(hits.map(({ id, score }) => ({ id, score }))).toEqual(
      ranked.map((best) => ({ id: found[best.index]?.id, score: best.score })),
    );
    expect(hits.every(({ terms }) => terms !== undefined)).toBe(true);
    expect(hits.some(({ id }) => id === 'd0')).toBe(false);
  });

  test('gives it no fewer candidates than hits are wanted, and 50 by default', async () => {
    const rerank = new ByLength();
    expect(await index.search(query, { rerank, candidates: 2, k: 8 })).toHaveLength(8);
    expect(await index.search(query, { rerank })).toHaveLength(10);
    expect(rerank.asked.map(({ documents }) => documents.length)).toEqual([8, 30]);
  });

  test('asks nothing about no passages', async () => {
    const rerank = new ByLength();
    expect(await index.search(query, { rerank, filter: () => false })).toEqual([]);
    expect(rerank.asked).toEqual([]);
  });

  test('refuses an encoder, and numbers out of range', async () => {
    const rerank = new ByLength();
    await expect(index.search(query, { rerank: model as never })).rejects.toMatchObject({
      code: 'BadValue',
      path: 'options.rerank',
    });
    await expect(index.search(query, { rerank, candidates: 0 })).rejects.toMatchObject({
      code: 'BadValue',
      path: 'options.candidates',
    });
    const wrong: Ranker = { rank: async () => [{ index: 30, score: 1 }] };
    await expect(index.search(query, { rerank: wrong })).rejects.toMatchObject({
      code: 'BadValue',
      path: 'options.rerank',
    });
  });

  test('stops at an abort', async () => {
    const abort = new AbortController();
    const rerank: Ranker = {
      rank: (_query, _documents, { signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
          abort.abort();
        }),
    };
    const search = index.search(query, { rerank, signal: abort.signal });
    await expect(search).rejects.toMatchObject({ name: 'AbortError' });
  });
});
