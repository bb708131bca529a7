// Languages and their stemmers.
import { expect, test } from 'vitest';
import { languageOf } from '../../src/shared/stems.ts';

test('a language is made once, so that a search has the stems of the one before', async () => {
  const [english, again, german] = await Promise.all(['en', 'en', 'de'].map(languageOf));
  expect(again).toBe(english);
  expect(german).not.toBe(english);
  expect(english?.stem('Images')).toBe(english?.stem('image'));
  expect(german?.stem('Häuser')).toBe(german?.stem('Häusern'));
});

test('a language without a stemmer keeps its words', async () => {
  const { stem, fold } = await languageOf('eo');
  expect(stem('Bildoj')).toBe('bildoj');
  expect(fold('Ŝipo')).toBe('sipo');
});
