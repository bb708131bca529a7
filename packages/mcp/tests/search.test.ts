// The tools for indexes: what they show, what they cut, and how their calls end.
import { createIndex, open, type Progress, type SearchIndex } from 'ambry';
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import type { Entry } from '../src/index.ts';
import { localClient } from './support/clients.ts';
import { docs, testFolder } from './support/test-folder.ts';

const { at } = await testFolder();
const model = await forAllTests(open({ path: at('allowed/tiny.weights') }, { kind: 'encoder' }));
const long = `${'the cat '.repeat(3000)}end`;
const longDocs = [
  { text: long, source: 'long.md' },
  ...Array.from({ length: 60 }, (_, i) => ({ text: `cat number ${i}`, source: 'many.md' })),
];
const notes = await forAllTests(createIndex(model, docs));
const many = await forAllTests(createIndex(model, longDocs));
const served = await forAllTests(localClient({ indexes: { notes, many } }));
const short = await forAllTests(localClient({ indexes: { many }, maxResult: 3000 }));

type Shown = {
  readonly id: string | number;
  readonly text: string;
  readonly [name: string]: unknown;
};

describe('search_index', () => {
  test('shows fields, and hidden characters of names but not of texts', async () => {
    const args = { index: 'notes', query: 'rain on the sea', hybrid: true };
    const { passages } = await served.call('search_index', args);
    const found = (passages as Shown[]).find(({ text }) => text.startsWith('rain'));
    expect(found).toMatchObject({
      id: 'b\\u202e.md#1',
      source: 'b\\u202e.md',
      position: 1,
      text: docs[3]?.text,
    });
    expect(found?.['terms']).toContain('rain');
  });

  test('needs the name of the index where there are several', async () => {
    expect(await served.failure('search_index', { query: 'a' })).toMatch(/at index/);
  });

  test('cuts long passages, and leaves out what has no room', async () => {
    const { passages, leftOut } = await short.call('search_index', { query: 'the cat', k: 50 });
    expect(JSON.stringify(passages).length).toBeLessThan(3100);
    expect(passages.length + leftOut).toBe(50);
    const { passages: all } = await served.call('search_index', {
      index: 'many',
      query: long.slice(0, 100),
      k: 50,
    });
    const cut = (all as Shown[]).find(({ text }) => text.length > 1000);
    expect(cut).toMatchObject({ cut: true, characters: long.length });
  });

  test('passes the prompt to the model', async () => {
    const prompts: unknown[] = [];
    const spy = fake({
      search: (_, options) => {
        prompts.push(options?.prompt);
        return Promise.resolve([]);
      },
    });
    await using own = await localClient({ indexes: { spy }, prompt: 'query: ' });
    await own.call('search_index', { query: 'a' });
    expect(prompts).toEqual(['query: ']);
  });
});

describe('read_passage', () => {
  test('shows neighbours of the same document only', async () => {
    const read = async (args: object) =>
      (await served.call('read_passage', { index: 'notes', ...args }))['passages'] as Shown[];
    const ids = (passages: Shown[]) => passages.map(({ id }) => id);
    expect(ids(await read({ id: 'a.md#2', before: 5, after: 5 }))).toEqual([
      'a.md#1',
      'a.md#2',
      'a.md#3',
    ]);
    expect(ids(await read({ id: 'a.md#3', after: 2 }))).toEqual(['a.md#3']);
    expect(ids(await read({ id: 'b\\u202e.md#1' }))).toEqual(['b\\u202e.md#1']);
    expect(await read({ id: 'b\u202e.md#1' })).toHaveLength(1);
  });

  test('takes the place of a passage without an id, as a number or a text', async () => {
    for (const id of [5, '5']) {
      const { passages } = await served.call('read_passage', { index: 'many', id });
      expect(passages).toMatchObject([{ id: 5, text: 'cat number 4' }]);
    }
    const missing = served.failure('read_passage', { index: 'many', id: 'none' });
    expect(await missing).toBe('NotFound id: There is no passage none.');
  });

  test('gives a long text in parts', async () => {
    let text = '';
    for (let from: number | undefined = 0; from !== undefined; ) {
      const { passages } = await short.call('read_passage', { id: 0, from });
      const [part] = passages as [Shown];
      expect(part.text.length).toBeLessThan(3000);
      text += part.text;
      from = part['nextFrom'] as number | undefined;
    }
    expect(text).toBe(long);
  });

  test('leaves out neighbours for which there is no room', async () => {
    await using tiny = await localClient({ indexes: { many }, maxResult: 1000 });
    const { passages, leftOut } = await tiny.call('read_passage', {
      id: 30,
      before: 20,
      after: 20,
    });
    const ids = (passages as Shown[]).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([29, 30, 31]));
    expect(passages.length + leftOut).toBe(41);
  });
});

type Search = SearchIndex['search'];
const fake = (members: { readonly search: Search }): SearchIndex =>
  ({ docs: [], dispose: async () => {}, ...members }) as unknown as SearchIndex;

describe('a call', () => {
  test('that the client cancels ends the work', async () => {
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    let end: unknown;
    const slow = fake({
      search: (_, { signal } = {}) => {
        begin();
        return new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => {
            end = signal.reason;
            reject(signal.reason);
          });
        });
      },
    });
    await using own = await localClient({ indexes: { slow } });
    const stop = new AbortController();
    const call = own.call('search_index', { query: 'a' }, { signal: stop.signal });
    await begun;
    stop.abort();
    await expect(call).rejects.toThrow(/abort/i);
    await expect.poll(() => end).toBeDefined();
  });

  test('that takes too long, or is one too many, is an error', async () => {
    const never = fake({
      search: (_, { signal } = {}) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
        }),
    });
    await using own = await localClient({ indexes: { never }, callTimeout: 0.5, maxCalls: 1 });
    const both = await Promise.all(
      ['a', 'b'].map((query) => own.failure('search_index', { query })),
    );
    expect(both[0]).toBe('Cancelled: The call took longer than 0.5 seconds.');
    expect(both[1]).toMatch(/^LimitExceeded: 1 calls are running/);
  });

  test('that waits for an index is told how far it is', async () => {
    let goOn: (() => void) | undefined;
    const opening: Entry<SearchIndex> = ({ onProgress }) =>
      new Promise((resolve) => {
        goOn = () => {
          for (const [phase, loaded] of [
            ['download', 50],
            ['download', 100],
            ['load', 10],
          ] as const) {
            onProgress({ phase, loaded, total: 100 } as Progress);
          }
          resolve({ value: notes, dispose: async () => {} });
        };
      });
    await using own = await localClient({ indexes: { opening } });
    const seen: number[] = [];
    const call = own.call(
      'search_index',
      { query: 'the cat', k: 1 },
      {
        onprogress: ({ progress, message }) =>
          seen.push(progress) && expect(message).toMatch(/ of 100$/),
      },
    );
    await expect.poll(() => goOn).toBeDefined();
    goOn?.();
    expect((await call)['passages']).toHaveLength(1);
    expect(seen.length).toBeGreaterThan(1);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    // The index is the test's own.
    expect(await notes.search('a')).not.toEqual([]);
  });

  test('after a failed opening opens again', async () => {
    let tries = 0;
    const errors: unknown[] = [];
    const indexes = {
      later: async () => {
        tries++;
        if (tries === 1) {
          throw new Error('not yet');
        }
        return { value: notes, dispose: async () => {} };
      },
    };
    await using own = await localClient({ indexes, onError: (error) => errors.push(error) });
    expect(await own.failure('search_index', { query: 'a' })).toBe('Crashed: not yet');
    expect((await own.call('search_index', { query: 'a' }))['passages']).toHaveLength(4);
    expect(errors.length).toBeGreaterThan(0);
  });
});
