// Which of several pages with words of the query is first, by words.
import { expect, test } from 'vitest';
import { openSiteSearch } from '../../src/index.ts';
import { makeSite, type Pages, page, serveSite } from '../support/site.ts';

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

test('the section with the words as they stand in the query is the first one of a page', async () => {
  const { folder } = await makeSite({
    'cron.html': page(
      'Cron',
      '<h2>Retries of a job</h2><p>A job waits for an hour at most. Its hour ends. A run is a job.</p><h2>Times of a job</h2><p>Run it every hour.</p>',
    ),
  });
  const { url } = await serveSite(folder);
  const site = await openSiteSearch(url);
  const { pages } = await site.search('run a job every hour ', { mode: 'words' });
  await site.dispose();
  expect(pages[0]?.sections[0]?.heading).toBe('Times of a job');
});

test('words of a title that say nothing do not count against it', async () => {
  const pages = {
    'a.html': page('Winter hills', '<p>A marmot sleeps there.</p>'),
    'b.html': page('The winter', '<p>A beaver sleeps there.</p>'),
  };
  expect(await firstOf(pages, 'sleep through a winter ')).toBe('The winter');
});
