// Pages that are marked for Pagefind.
import { expect, test } from 'vitest';
import { openSiteSearch } from '../../src/index.ts';
import { makeSite, page, serveSite } from '../support/site.ts';

const marked = page('Marked', '<p>Outside.</p><div data-pagefind-body><p>Inside.</p></div>');
const other = page('Other', '<p>Outside, too.</p>');

test('leave out other pages, and what is outside of the mark', async () => {
  const { folder, result } = await makeSite({ 'a.html': other, 'b.html': marked });
  expect(result).toMatchObject({ pages: 1, hidden: 1 });
  const { url } = await serveSite(folder);
  const site = await openSiteSearch(url, { model: false });
  expect((await site.search('inside')).pages).toHaveLength(1);
  expect((await site.search('outside')).pages).toEqual([]);
  await site.dispose();
});

test('are read as others where the option `requires` says something else', async () => {
  const { result } = await makeSite({ 'a.html': other, 'b.html': marked }, { requires: 'main' });
  expect(result).toMatchObject({ pages: 2, hidden: 0 });
});

test('are those with the attribute, and none that write about it', async () => {
  const about = page('About', '<p>Write <code>&lt;main data-pagefind-body&gt;</code>.</p>');
  const { result } = await makeSite({ 'a.html': other, 'b.html': about });
  expect(result).toMatchObject({ pages: 2, hidden: 0 });
});
