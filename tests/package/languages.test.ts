// The package ships franc's data of the languages that it asks for. With them franc answers as with all of its data.
import { readdirSync, readFileSync } from 'node:fs';
import { tokenizer } from 'acorn';
import { francAll } from 'franc';
import { expect, test } from 'vitest';
import { data } from '../../node_modules/franc/data.js';
import { sharedStemmer, withoutNames } from '../../web/build/shared-stemmer.mjs';
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

test('the entry splits texts and removes endings, with the stemmers in files of their own', async () => {
  const { languageOf, passageTerms, stemmerOf, withoutAccents } = await import('ambry/terms');
  const code = languageOf('de-AT');
  expect(code).toBe('de');
  const stem = await stemmerOf(code as string);
  const stems = passageTerms('Katzen, Bücher').map(({ word }) => stem(word.toLowerCase()));
  expect(stems.map(withoutAccents)).toEqual(['katz', 'buch']);
  expect((await stemmerOf('xx'))('katzen')).toBe('katzen');
  expect((await stemmerOf('constructor'))('katzen')).toBe('katzen');
  expect(languageOf('not a tag')).toBeUndefined();
});

test('its errors are of the class that ambry has', async () => {
  const { AmbryError } = await import('ambry');
  const { passageTerms, stemmerOf } = await import('ambry/terms');
  expect(() => passageTerms(1 as never)).toThrow(AmbryError);
  await expect(stemmerOf({} as never)).rejects.toThrow(AmbryError);
});

test('Bulgarian words whose letters change have stems', async () => {
  const { stemmerOf } = await import('ambry/terms');
  const stem = await stemmerOf('bg');
  expect(['ученици', 'ученик', 'градове', 'град', 'приятели'].map(stem)).toEqual([
    ...['ученик', 'ученик', 'град', 'град'],
    'приятял',
  ]);
});

const library = new URL('../../node_modules/@orama/stemmers/dist/', import.meta.url);
const packaged = new URL('../../dist/libraries/', import.meta.url);
const stemmers = readdirSync(packaged).filter((name) => /^[a-z]{2}\.js$/.test(name));

interface Stemmed {
  readonly stemmer: (word: string) => string;
}

/** The texts in quotes in a stemmer: its endings, and what it puts in their place. */
function endingsIn(code: string): string[] {
  const tokens = [...tokenizer(code, { ecmaVersion: 2022 })] as unknown as readonly {
    readonly type: { readonly label: string };
    readonly value: unknown;
  }[];
  const found = tokens.flatMap(({ type, value }) => (type.label === 'string' ? [value] : []));
  return [...new Set(found as string[])].filter((ending) => ending.length > 0);
}

test('stemmers share the function that runs them, and stem as the library does', async () => {
  // English has one of ours, and that of Bulgarian is in a file of ours.
  expect(stemmers.length).toBe(Object.keys(languages).length - 2);
  const sharing = [];
  for (const name of stemmers) {
    const [own, theirs] = (await Promise.all(
      [packaged, library].map((folder) => import(new URL(name, folder).href)),
    )) as [Stemmed, Stemmed];
    const code = readFileSync(new URL(name, library), 'utf8');
    // Words of the language itself, and its endings after beginnings of several lengths.
    const words = texts.flatMap(([, , text = '']) => text.split(' '));
    const endings = endingsIn(code.slice(0, code.indexOf('export ')));
    words.push(...endings.flatMap((each) => ['', 'ka', 'balen'].map((start) => start + each)));
    const stems = words.map((word) => theirs.stemmer(word));
    expect(
      words.map((word) => own.stemmer(word)),
      name,
    ).toEqual(stems);
    if (readFileSync(new URL(name, packaged), 'utf8').includes('./stemmer-machine.js')) {
      sharing.push(name);
    }
  }
  expect(sharing.length).toBe(stemmers.length - 2);
});

test('a stemmer with another function is not built', () => {
  const path = new URL('fr.js', library).pathname;
  const code = readFileSync(path, 'utf8');
  const { transform } = sharedStemmer;
  expect(transform(code, path)?.code).toContain('./stemmer-machine.js');
  expect(withoutNames('let a = b.c + a')).toBe(withoutNames('let d = e.c + d'));
  expect(() => transform(code.replace('this.cursor=0', 'this.cursor=1'), path)).toThrow(
    /begins with another function/,
  );
  expect(() => transform('export default 1', path)).toThrow(/does not begin with a function/);
});
