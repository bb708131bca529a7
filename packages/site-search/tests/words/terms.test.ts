// Words that are joined: versions, tickets, and contractions.
import { describe, expect, test } from 'vitest';
import { openSiteSearch } from '../../src/index.ts';
import { joinedTerms, queryTerms } from '../../src/shared/terms.ts';
import { makeSite, page, serveSite } from '../support/site.ts';

describe('joined words', () => {
  test.each([
    ['Fixed in v1.2.3.', ['1.2.3']],
    ['PPR-9087 and sha_256, SHA-256', ['ppr9087', 'sha256', 'sha256']],
    ['Python-3.11', ['3.11']],
    ['2024-01-15', ['2024.01.15']],
    ["They don’t, he doesn't", ['dont', 'doesnt']],
    ['a1.2 x1 12 3rd 1.2b built-in web-site-x', []],
    ['an e-mail', ['email']],
  ])('of %s', (text, wanted) => expect(joinedTerms(text).map(({ word }) => word)).toEqual(wanted));

  test('have their place in the text', () => {
    expect(joinedTerms('in v1.2.3 now')).toEqual([{ word: '1.2.3', start: 3, end: 9 }]);
  });
});

describe('the words of a query', () => {
  test.each([
    ["the cat's tail", ['the', 'cat', 'tail']],
    ["we'll see l’eau", ['we', 'see', 'eau']],
    ["don't", ['don']],
    ['s', ['s']],
    ["o'clock", ['o', 'clock']],
  ])('%s', (query, wanted) => expect(queryTerms(query).map(({ word }) => word)).toEqual(wanted));
});

test('numbers of a version stand together, in texts too', async () => {
  const { folder } = await makeSite({
    'a.html': page('Alpha', '<p>Fixed in 1.2.3 for all.</p>'),
    'b.html': page('Beta', '<p>Fixed in 3.2.1, 1.2 and 2.3, 1.2.30. 1 2 3 1 2 3.</p>'),
    'c.html': page('Gamma', "<p>Don't the tiger take two tea trees?</p>"),
    'd.html': page('Delta', '<p>See PPR-9087.</p>'),
    'e.html': page('Eta', '<p>See PPR-9088, PPR 9087, PPR.</p>'),
  });
  const { url } = await serveSite(folder);
  const site = await openSiteSearch(url, { model: false });
  const titles = async (query: string) =>
    (await site.search(query, { mode: 'words' })).pages.map(({ title }) => title);
  expect(await titles('1.2.3 ')).toEqual(['Alpha']);
  expect(await titles('v1.2.3 ')).toEqual(['Alpha']);
  expect((await titles('1.2.3'))[0]).toBe('Alpha');
  expect(await titles('PPR9087')).toEqual(['Delta']);
  expect(await titles('ppr_9087')).toEqual(['Delta']);
  expect((await titles('9.2.1')).length).toBeGreaterThan(0);
  expect(await titles('"1.2.3"')).toEqual(['Alpha']);
  const { pages } = await site.search("don't", { mode: 'words' });
  const { text, highlights } = pages[0]?.excerpt ?? { text: '', highlights: [] };
  expect(highlights.map(([start, end]) => text.slice(start, end))).toEqual(["Don't"]);
  await site.dispose();
});
