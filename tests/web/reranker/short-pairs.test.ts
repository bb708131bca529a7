// Queries and documents of models that take so many characters, without white space around them.
import { expect, test } from 'vitest';
import { shortPairs } from '../../../web/src/reranker/short-pairs.ts';

const facts = { max_query_characters: 3, max_document_characters: 5, trim: true };
const shortened = (query: string, document: string) =>
  shortPairs(facts, [[query, document]], {}, 'texts')[0];

test('texts are cut by code points, and then lose white space', () => {
  expect(shortened('abcd', 'abcdefg')).toEqual(['abc', 'abcde']);
  expect(shortened('\u{1f600}'.repeat(4), 'a')).toEqual(['\u{1f600}'.repeat(3), 'a']);
  expect(shortened(' a b', '\n ab  c')).toEqual(['a', 'ab']);
  expect(shortened('', '   ')).toEqual(['', '']);
});

test('white space is what Python takes away', () => {
  for (const space of ['\t', '\x1c', '\x85', '\xa0', '\u2003', '\u3000']) {
    expect(shortened(`${space}a${space}`, 'b')).toEqual(['a', 'b']);
  }
  expect(shortened('\ufeffa', '\u200bb')).toEqual(['\ufeffa', '\u200bb']);
});

test('a text that must not be cut is refused by its number', () => {
  const pairs = [
    ['a', 'b'],
    ['a', 'abcdef'],
  ] as const;
  expect(() => shortPairs(facts, pairs, { truncate: 'error' }, 'documents')).toThrow(
    expect.objectContaining({
      code: 'LimitExceeded',
      path: 'documents[1]',
      message: expect.stringContaining('more than the 5 characters') as string,
    }),
  );
});

test('other models get their texts as they are', () => {
  const pairs = [[' a ', ' b ']] as const;
  expect(shortPairs({}, pairs, { truncate: 'error' }, 'texts')).toBe(pairs);
});
