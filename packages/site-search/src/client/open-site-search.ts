import { refuseUnknown } from '../shared/refuse-unknown.ts';
import type { SiteSearchOptions, SiteSource } from './base/types.ts';
import { openOptionNames } from './check-options.ts';
import { SiteSearch } from './site-search.ts';

/**
 * Opens the index that `ambry site-index` has made. It fetches the manifest only; a search fetches what it needs.
 *
 * Rejects with `Http` if there is no manifest, with `BadValue` or `UnsupportedVersion` if it is none that this version
 * reads, with `BadValue` for an unknown option, and with an `AbortError`.
 *
 * @example
 * const site = await openSiteSearch('/search/');
 * const { pages } = await site.search('how do I start');
 * for (const { title, url } of pages) console.log(title, url);
 */
export async function openSiteSearch(
  source: SiteSource,
  options: SiteSearchOptions = {},
): Promise<SiteSearch> {
  refuseUnknown(options, openOptionNames);
  return SiteSearch.open(source, options);
}
