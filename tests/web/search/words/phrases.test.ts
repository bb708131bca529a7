// Phrases in quotation marks.
import { expect, test } from 'vitest';
import { AmbryError } from '../../../../web/src/base/errors.ts';
import { havePhrases, phrasesOf } from '../../../../web/src/search/words/phrases.ts';

test.each([
  ['"reference cycle" in Rust', [['reference', 'cycle']]],
  [
    '„Zwei Wörter“ «trois mots ici»',
    [
      ['zwei', 'worter'],
      ['trois', 'mots', 'ici'],
    ],
  ],
  ['"?!" and 5" wide', []],
  ['no quotes', []],
])('the phrases of %s', (query, phrases) => expect(phrasesOf(query)).toEqual(phrases));

test('each phrase must stand in one of the texts', () => {
  const texts = ['A Reference-Cycle.', 'Never freed.'];
  expect(havePhrases(texts, phrasesOf('"reference cycle" "never freed"'))).toBe(true);
  expect(havePhrases(texts, phrasesOf('"cycle never"'))).toBe(false);
  expect(havePhrases([], [])).toBe(true);
  expect(() => havePhrases('text' as never, [])).toThrow(AmbryError);
  expect(() => havePhrases([], undefined as never)).toThrow('Must be a list, not undefined.');
});

test('phrases of scripts without spaces are found', () => {
  expect(havePhrases(['東京都に住む'], phrasesOf('"東京都"'))).toBe(true);
  expect(havePhrases(['京都の東'], phrasesOf('"東京都"'))).toBe(false);
});
