// Which of several pages with words of the query is first, by words.
import { expect, test } from 'vitest';
import { openSiteSearch } from '../src/index.ts';
import { makeSite, type Pages, page, serveSite } from './support/site.ts';

/** A paragraph of words that no query has. */
const filler = (name: string): string =>
  `<p>${Array.from({ length: 120 }, (_, i) => `${name} lies beside place ${i}`).join(', ')}.</p>`;

async function firstOf(pages: Pages, query: string): Promise<string | undefined> {
  const { folder } = await makeSite(pages);
  const { url } = await serveSite(folder);
  const site = await openSiteSearch(url);
  const answer = await site.search(query, { mode: 'words' });
  await site.dispose();
  return answer.pages[0]?.title;
}

test('a page whose first passage has the words is before one that has them later', async () => {
  const words = '<p>A marmot sleeps in winter.</p>';
  const pages = {
    'a.html': page('Later', `<p>Pumps.</p>${filler('pump')}${words}${filler('pump')}`),
    'b.html': page('Lead', `${words}${filler('pump')}${filler('pump')}`),
  };
  expect(await firstOf(pages, 'marmot winter ')).toBe('Lead');
});

test('words in one part of a page count more than words in several', async () => {
  const pages = {
    'a.html': page(
      'Apart',
      `<p>Pumps.</p>${filler('pump')}<p>The marmot, a marmot, marmots.</p><h2>Cold</h2>${filler('pump')}<p>A winter, a winter, winters.</p>`,
    ),
    'b.html': page(
      'Together',
      `<p>Pumps.</p>${filler('pump')}<h2>Cold</h2>${filler('pump')}<p>A marmot, a winter.</p>`,
    ),
  };
  expect(await firstOf(pages, 'marmot winter ')).toBe('Together');
});

test('words of a title that say nothing do not count against it', async () => {
  const pages = {
    'a.html': page('Winter hills', '<p>A marmot sleeps there.</p>'),
    'b.html': page('The winter', '<p>A beaver sleeps there.</p>'),
  };
  expect(await firstOf(pages, 'sleep through a winter ')).toBe('The winter');
});
