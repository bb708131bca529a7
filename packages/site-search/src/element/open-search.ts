// What the element needs to search, as one script that loads when the reader comes to the field.
import { AmbryError } from 'ambry/terms';
import { openSiteSearch } from '../client/open-site-search.ts';
import type { SiteSearch } from '../client/site-search.ts';

export interface SearchPlace {
  /** The address of the index. */
  readonly src: string | undefined;
  /** The address of the site, if it is not as the index says. */
  readonly site: string | undefined;
}

/** Throws `BadValue` at an attribute. */
export function checkAttributes({ src }: SearchPlace, strings: string | null): void {
  if (src === undefined) {
    const message =
      'The attribute src is missing: the folder of the index, such as src="/search/". Only the script that lies in that folder knows it.';
    throw new AmbryError('BadValue', message, { path: 'element.src' });
  }
  if (strings === null) {
    return;
  }
  try {
    JSON.parse(strings);
  } catch (cause) {
    const message = 'The attribute strings must be JSON, such as {"placeholder": "Find"}.';
    throw new AmbryError('BadValue', message, { path: 'element.strings', cause });
  }
}

export function openSearch({ src = '', site }: SearchPlace): Promise<SiteSearch> {
  return openSiteSearch(src, site === undefined ? {} : { site });
}
