import { describe, expect, test } from 'vitest';
import {
  asIndexed,
  asWaiting,
  countWaiting,
  newId,
  takeWaiting,
} from '../../../../../web/demo/search/documents/passage-queue.ts';
import { countPassages } from '../../../../../web/demo/search/state/state.ts';
import { source } from './document-source.ts';

const textsOf = (passages: readonly { readonly text: string }[]) =>
  passages.map(({ text }) => text);

describe('takeWaiting', () => {
  test('takes passages from the documents in order', () => {
    const { docs, after } = takeWaiting([source('a', 1, 2), source('b', 0, 3)], 4);
    expect(textsOf(docs)).toEqual(['a 1', 'a 2', 'b 0', 'b 1']);
    expect(textsOf(after[0]?.passages ?? [])).toEqual(['a 0', 'a 1', 'a 2']);
    expect(after[0]?.waiting).toBeUndefined();
    expect(textsOf(after[1]?.waiting ?? [])).toEqual(['b 2']);
    expect([countPassages(after), countWaiting(after)]).toEqual([5, 1]);
  });

  test('does not change documents without waiting passages', () => {
    const done = source('a', 2, 0);
    const { docs, after } = takeWaiting([done, source('b', 0, 1)], 10);
    expect(textsOf(docs)).toEqual(['b 0']);
    expect(after[0]).toBe(done);
    expect(takeWaiting(after, 10).docs).toEqual([]);
  });

  test('asIndexed and asWaiting keep all passages', () => {
    const mixed = source('a', 2, 3);
    expect(textsOf(asIndexed(mixed).passages)).toHaveLength(5);
    expect(textsOf(asWaiting(mixed).waiting ?? [])).toEqual(textsOf(asIndexed(mixed).passages));
    expect(asWaiting(mixed).id).toBe('a');
  });
});

test('newId gives different ids', () => {
  expect(new Set(Array.from({ length: 100 }, newId)).size).toBe(100);
});
