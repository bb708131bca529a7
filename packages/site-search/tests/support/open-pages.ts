// Opens the search of a site that a test has made.
import { openSiteSearch, type SiteSearch } from '../../src/index.ts';
import { makeSite, type Pages, serveSite } from './site.ts';

export async function opened(pages: Pages, options = {}): Promise<SiteSearch> {
  const { folder } = await makeSite(pages);
  const { url } = await serveSite(folder);
  return openSiteSearch(url, options);
}

export const titles = (answer: { pages: readonly { title: string }[] }) =>
  answer.pages.map(({ title }) => title);
