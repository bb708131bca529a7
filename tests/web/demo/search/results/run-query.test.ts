import type { SearchIndex, SearchOptions } from 'ambry';
import { describe, expect, test, vi } from 'vitest';
import { queryWith } from '../../../../../web/demo/search/results/run-query.ts';
import { hit } from './hit.ts';

describe('a query', () => {
  const docs = ['a.txt', 'a.txt', 'b.txt'].map((source, at) => ({ text: `text ${at}`, source }));

  /** An index that finds everything that passes the filter, and records the options. */
  function askedIndex(): { readonly index: SearchIndex; readonly asked: SearchOptions[] } {
    const asked: SearchOptions[] = [];
    const search = async (_: string, options: SearchOptions) => {
      asked.push(options);
      return docs.filter((doc) => options.filter?.(doc) ?? true).map((doc) => hit(doc.text, doc));
    };
    const didYouMean = async (query: string) => (query === 'txet' ? 'text' : undefined);
    return { index: { docs, search, didYouMean } as unknown as SearchIndex, asked };
  }
  const { signal } = new AbortController();

  test('ranks by meaning, or by meaning and words', async () => {
    const { index, asked } = askedIndex();
    for (const mode of ['meaning', 'words'] as const) {
      await queryWith({ mode, sources: [] }, () => {})(index, 'text', signal);
    }
    expect(asked.map(({ hybrid }) => hybrid)).toEqual([0, 0.3]);
  });

  test('says what may have been meant, where words count', async () => {
    const { index } = askedIndex();
    const meantBy = async (mode: 'meaning' | 'words', query: string) =>
      (await queryWith({ mode, sources: [] }, () => {})(index, query, signal)).meant;
    expect(await meantBy('words', 'txet')).toBe('text');
    expect(await meantBy('words', 'text')).toBeUndefined();
    expect(await meantBy('meaning', 'txet')).toBeUndefined();
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
