// What a user opens while the words page still loads all built-in vectors.
import { expect, test, vi } from 'vitest';
import { Store } from '../../../../web/demo/shared/base/store.ts';
import type { Opener } from '../../../../web/demo/words/session/open-words.ts';
import { WordsSession } from '../../../../web/demo/words/session/session.ts';
import {
  emptyState,
  type LoadedWords,
  type WordsSource,
} from '../../../../web/demo/words/session/state.ts';

const begun: string[] = [];
/** A promise that ends when it is told to. */
function held() {
  let end = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { promise, end: () => end() };
}

const opened = held();
let explained = held();

/** Vectors of no words: nothing but `explain` is asked of them. */
function wordsOf(from: WordsSource): LoadedWords {
  const explain = async () => {
    if (from.isPart) {
      await explained.promise;
    }
    return { found: 'none' };
  };
  const model = { size: 0, explain, dispose: async () => undefined };
  return { ...from, model, vocabulary: [], unread: 0, cut: '' } as unknown as LoadedWords;
}

vi.mock('../../../../web/demo/words/session/open-words.ts', () => ({
  opener:
    (from: WordsSource): Opener =>
    async ({ signal }) => {
      begun.push(from.isPart ? 'first words' : from.name);
      if (from.name === 'broken') {
        throw new Error('no words');
      }
      if (from.name === 'own') {
        await opened.promise;
        signal.throwIfAborted();
      }
      return wordsOf(from);
    },
}));
vi.stubGlobal('document', { baseURI: 'https://example.org/words/' });

test('the built-in vectors do not take the place of what was opened meanwhile', async () => {
  const store = new Store(emptyState);
  const session = new WordsSession(store, {});
  const builtIn = session.openBuiltIn();
  await vi.waitFor(() => expect(store.state.loaded?.isPart).toBe(true));
  const own = session.openUrl('https://example.org/own.fifu');
  await vi.waitFor(() => expect(begun).toContain('own'));
  explained.end();
  await builtIn;
  opened.end();
  await own;
  expect(begun).toEqual(['first words', 'own']);
  expect(store.state.loaded?.name).toBe('own');
  expect(store.state.failure).toBeNull();
});

test('what could not be opened meanwhile is still told when the first words are looked up', async () => {
  explained = held();
  const store = new Store(emptyState);
  const session = new WordsSession(store, {});
  const builtIn = session.openBuiltIn();
  await vi.waitFor(() => expect(store.state.loaded?.isPart).toBe(true));
  await session.openUrl('http://127.0.0.1:9/broken.fifu');
  const { failure } = store.state;
  expect(failure).not.toBeNull();
  explained.end();
  await builtIn;
  expect(store.state.failure).toBe(failure);
  await session.lookUp('tide');
  expect(store.state.failure).toBeNull();
});
