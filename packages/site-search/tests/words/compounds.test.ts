// Words in other words: of compounds, of identifiers, and of words with hyphens.
import { compoundEnds, lastWords } from 'ambry/terms';
import { expect, test } from 'vitest';
import { openSiteSearch } from '../../src/index.ts';
import { makeSite, page, serveSite } from '../support/site.ts';

const known = (end: string) => ['verbindung', 'netzgerat'].includes(end);

test.each([
  ['datenbankverbindung', 'de', ['verbindung']],
  ['hochspannungsnetzgerat', 'de', ['netzgerat']],
  ['sicherheitsabstand', 'de', ['abstand']],
  ['datenbankverwaltung', 'de', []],
  ['verbindung', 'de', []],
  ['netzgerat', 'de', []],
  ['databaseconnectionverbindung', 'en', []],
])('the last words of %s (%s)', (word, language, wanted) =>
  expect(lastWords(word, language, known)).toEqual(wanted));

test('a long word has ends of five letters and more', () => {
  expect(compoundEnds('abcdefghi', 'de')).toEqual(['defghi', 'efghi']);
  expect(compoundEnds('abcdefgh', 'de')).toEqual([]);
});

test('pages with such words are found and marked', async () => {
  const german = (title: string, body: string) => page(title, body, 'de');
  const { folder } = await makeSite({
    'a.html': german('Alpha', '<p>Das Hochspannungsnetzgerät und die Datenbankverbindung.</p>'),
    'b.html': german('Beta', '<p>Eine Verbindung.</p>'),
    'c.html': page('Gamma', '<p>Call getUserById with an e-mail to log-in.</p>'),
    'd.html': page('Delta', '<p>A website.</p>'),
  });
  const { url } = await serveSite(folder);
  const site = await openSiteSearch(url, { model: false });
  const found = async (query: string) => {
    const { pages } = await site.search(query, { mode: 'words' });
    const { text, highlights } = pages[0]?.excerpt ?? { text: '', highlights: [] };
    const marked = highlights.map(([start, end]) => text.slice(start, end)).join('|');
    return `${pages.map(({ title }) => title).join(' ')}: ${marked}`;
  };
  expect(await found('Netzgerät')).toBe('Alpha: Hochspannungsnetzgerät');
  expect(await found('netzgeraet ')).toBe('Alpha: Hochspannungsnetzgerät');
  expect(await found('verbindung ')).toBe('Beta Alpha: Verbindung');
  expect(await found('user')).toBe('Gamma: getUserById');
  expect((await found('UserById')).startsWith('Gamma')).toBe(true);
  expect((await found('byid')).startsWith('Gamma')).toBe(true);
  expect(await found('email')).toBe('Gamma: e-mail');
  expect(await found('web-site')).toBe('Delta: website');
  expect(await found('login ')).toBe('Gamma: log-in');
  await site.dispose();
});
