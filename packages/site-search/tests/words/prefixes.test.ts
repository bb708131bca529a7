// While a word is typed, its page never vanishes: no letters with which an indexed word begins give "no page".
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { functionWordsOf } from 'ambry/terms';
import { expect, test } from 'vitest';
import { openSiteSearch } from '../../src/index.ts';
import { makeSite, page, serveSite } from '../support/site.ts';

const docs = fileURLToPath(new URL('../../../../docs/', import.meta.url));
const mostWords = 2000;
const pageCount = 40;
/** A query of function words alone finds no page. */
const functionWords = new Set(functionWordsOf('en'));

/** Words of the documentation, each of which is on one page. */
function wordsOfDocs(): string[] {
  const files = readdirSync(docs).filter((name) => name.endsWith('.md'));
  const text = files.map((name) => readFileSync(`${docs}${name}`, 'utf8')).join(' ');
  const words = [...new Set(text.match(/\b[a-z]{4,20}\b/g))];
  return words.filter((word) => !functionWords.has(word)).slice(0, mostWords);
}

/** Words whose stems end before they do, or in other letters. */
const others: Readonly<Record<string, string>> = {
  en: 'reliability capability visibility scalability storing making writing happily ponies generalizations conditionally',
  fr: 'fiabilité chevaux généralisation nationalités heureusement constitutionnellement travaux finissaient',
  de: 'Verfügbarkeiten Häusern Zuverlässigkeit Wörterbüchern freundlichkeiten',
  it: 'semplificazione semplificazioni velocemente fattibilità zuccherereste possibilità',
  es: 'confiabilidad rápidamente generalizaciones constituciones comunicándoselo',
  nl: 'betrouwbaarheid mogelijkheden vriendelijkheid',
  pt: 'confiabilidade rapidamente generalizações comunicações',
  ru: 'надёжность возможностями программирование читающий',
  fi: 'luotettavuus talossammekin kirjoittaminen',
};

async function lost(words: readonly string[], language: string): Promise<string[]> {
  const pages = Array.from({ length: Math.min(pageCount, words.length) }, (_, i) => {
    const own = words.filter((_, at) => at % pageCount === i).map((word) => `<p>${word}</p>`);
    return [`${i}.html`, page(`Page ${i}`, own.join(''), language)] as const;
  });
  const { folder } = await makeSite(Object.fromEntries(pages));
  const { url } = await serveSite(folder);
  const site = await openSiteSearch(url, { model: false });
  const prefixes = new Set(
    words.flatMap((word) => [...word].map((_, i) => [...word].slice(0, i + 1).join(''))),
  );
  const gone: string[] = [];
  for (const prefix of prefixes) {
    const { state, corrected } = await site.search(prefix, { mode: 'words', k: 1 });
    if (state !== 'found' || corrected !== undefined) {
      gone.push(prefix);
    }
  }
  await site.dispose();
  expect(prefixes.size).toBeGreaterThan(words.length);
  return gone;
}

test('thousands of English words are found by all their beginnings', {
  timeout: 120_000,
}, async () => {
  const words = wordsOfDocs();
  expect(words.length).toBe(mostWords);
  expect(await lost(words, 'en')).toEqual([]);
});

test.each(Object.entries(others))('words of %s are', async (language, words) => {
  expect(await lost(words.split(' '), language)).toEqual([]);
});
