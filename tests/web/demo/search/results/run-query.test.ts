import type { SearchIndex, SearchOptions } from 'ambry';
import { describe, expect, test, vi } from 'vitest';
import { queryWith } from '../../../../../web/demo/search/results/run-query.ts';
import { hit } from './hit.ts';

describe('a query', () => {
  const docs = ['a.txt', 'a.txt', 'b.txt'].map((source, at) => ({ text: `text ${at}`, source }));

  const likely = new Map([
    ['txet', 'text'],
    ['asleep', 'sleep'],
  ]);
  const scores = new Map([
    ['txet', 0.2],
    ['asleep', 0.7],
  ]);

  /** An index that finds everything that passes the filter, and records the options. */
  function askedIndex(): { readonly index: SearchIndex; readonly asked: SearchOptions[] } {
    const asked: SearchOptions[] = [];
    const search = async (query: string, options: SearchOptions) => {
      asked.push(options);
      const score = scores.get(query) ?? 0.5;
      return docs
        .filter((doc) => options.filter?.(doc) ?? true)
        .map((doc) => ({ ...hit(doc.text, doc), score }));
    };
    const didYouMean = async (query: string) => likely.get(query);
    return { index: { docs, search, didYouMean } as unknown as SearchIndex, asked };
  }
  const { signal } = new AbortController();

  test('ranks by meaning, or by meaning and words', async () => {
    const { index, asked } = askedIndex();
    for (const mode of ['meaning', 'words'] as const) {
      await queryWith({ mode, sources: [] }, () => {})(index, 'text', signal);
    }
    expect(asked.map(({ hybrid }) => hybrid)).toEqual([0, 0.2]);
  });

  test('says what may have been meant, where words count and it is found better', async () => {
    const { index } = askedIndex();
    const meantBy = async (mode: 'meaning' | 'words', query: string) =>
      (await queryWith({ mode, sources: [] }, () => {})(index, query, signal)).meant;
    expect(await meantBy('words', 'txet')).toBe('text');
    expect(await meantBy('words', 'text')).toBeUndefined();
    expect(await meantBy('words', 'asleep')).toBeUndefined();
    expect(await meantBy('meaning', 'txet')).toBeUndefined();
  });

  test('shows the hits of what may have been meant', async () => {
    const { index } = askedIndex();
    const choices = { mode: 'words', sources: ['b.txt'] } as const;
    const { hits } = await queryWith(choices, () => {})(index, 'txet', signal);
    expect(hits.map(({ text, score }) => [text, score])).toEqual([['text 2', 0.5]]);
  });

  test('searches the chosen sources that the index has, but counts all sources', async () => {
    const { index } = askedIndex();
    const counted = vi.fn();
    const choices = { mode: 'meaning', sources: ['b.txt', 'gone.txt'] } as const;
    const result = await queryWith(choices, counted)(index, 'text', signal);
    expect(result.hits.map(({ text }) => text)).toEqual(['text 2']);
    expect(result.scope).toBe('1 passage in b.txt');
    const counts = [
      { name: 'a.txt', count: 2 },
      { name: 'b.txt', count: 1 },
    ];
    expect(counted.mock.calls).toEqual([[counts, ['b.txt']]]);
  });

  test('reports no counts after it is aborted', async () => {
    const { index } = askedIndex();
    const counted = vi.fn();
    const runQuery = queryWith({ mode: 'meaning', sources: [] }, counted);
    await runQuery(index, 'text', AbortSignal.abort());
    expect(counted).not.toHaveBeenCalled();
  });
});
