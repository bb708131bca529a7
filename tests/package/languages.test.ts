// The package ships franc's data of the languages that it asks for. With them franc answers as with all of its data.
import { francAll } from 'franc';
import { expect, test } from 'vitest';
import { data } from '../../node_modules/franc/data.js';
import { languages } from '../../web/src/search/words/languages.ts';

const shipped = (await import(
  new URL('../../dist/libraries/franc.js', import.meta.url).href
)) as typeof import('franc');
const only = Object.values(languages).map(({ detected }) => detected);
/** The most frequent groups of letters of each of franc's 187 languages, as a text. */
const texts = Object.entries(data).flatMap(([script, ofScript]) =>
  Object.entries(ofScript).map(([name, groups]) => [script, name, groups.replaceAll('|', '')]),
);

test('every language gets the same answer', () => {
  expect(texts.length).toBeGreaterThan(150);
  for (const [script, name, text = ''] of texts) {
    const options = { only, minLength: 3 };
    const full = francAll(text, options);
    // The list of the best is enough: of texts in other languages the rest has no order.
    expect(shipped.franc(text, options), `${script} ${name}`).toBe(full[0]?.[0]);
  }
});

test('own languages are found', () => {
  const own = texts.filter(([, name = '']) => only.includes(name));
  expect(own.length).toBeGreaterThan(20);
  const found = own.filter(([, name, text = '']) => shipped.franc(text, { only }) === name);
  expect(found.length).toBe(own.length);
});

test('the entries split texts and remove endings, with the stemmers in files of their own', async () => {
  const { passageTerms, withoutAccents } = await import('ambry/terms');
  const { languageOf, stemmerOf } = await import('ambry/stemmers');
  const code = languageOf('de-AT');
  expect(code).toBe('de');
  const stem = await stemmerOf(code as string);
  const stems = passageTerms('Katzen, Bücher').map(({ word }) => stem(word.toLowerCase()));
  expect(stems.map(withoutAccents)).toEqual(['katz', 'buch']);
  expect((await stemmerOf('xx'))('katzen')).toBe('katzen');
  expect((await stemmerOf('constructor'))('katzen')).toBe('katzen');
  expect(languageOf('not a tag')).toBeUndefined();
});
