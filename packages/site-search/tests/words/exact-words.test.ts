// A word as it was typed counts more than longer words that begin with it.
import { expect, test } from 'vitest';
import { openSiteSearch } from '../../src/index.ts';
import { makeSite, page, serveSite } from '../support/site.ts';

test('a page with the word is before pages with longer ones, however often they have them', async () => {
  const rest = 'that stands in a long text with many other words of all kinds and none again';
  const { folder } = await makeSite({
    'a.html': page('Files', `<p>Somewhere a log ${rest}.</p>`),
    'b.html': page('Logos', '<h2>Logos</h2><p>logos logos logos logos</p>'),
    'c.html': page('Other', '<p>Nothing.</p>'),
    'd.html': page('Merging', '<p>To merge is to merge.</p>'),
    'e.html': page('Mergetags', '<h2>Mergetags</h2><p>mergetags mergetags</p>'),
  });
  const { url } = await serveSite(folder);
  const site = await openSiteSearch(url);
  for (const mode of ['words', 'hybrid'] as const) {
    const titles = async (query: string) =>
      (await site.search(query, { mode })).pages.slice(0, 2).map(({ title }) => title);
    expect(await titles('log')).toEqual(['Files', 'Logos']);
    expect((await titles('logo'))[0]).toBe('Logos');
    // The stem of a word is no word.
    expect((await titles('merg')).sort()).toEqual(['Mergetags', 'Merging']);
  }
  const { pages } = await site.search('log', { mode: 'words' });
  const { text, highlights } = pages[1]?.excerpt ?? { text: '', highlights: [] };
  expect(highlights.map(([start, end]) => text.slice(start, end))).toContain('logos');
  await site.dispose();
});
