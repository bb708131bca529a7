// The link of a page with what it cannot hold.

import { urlInLink } from '../page-address/open-linked.ts';
import type { ShareLink } from './share-texts.ts';

/** A file of this machine, or several. */
const isLocal = (source: unknown): boolean =>
  source !== undefined && typeof source !== 'string' && !(source instanceof URL);

const withoutModel =
  'The model is a file of this machine, so it is not in the link: whoever opens the link gets the built-in model.';

/** `source` is the model in use. `without` says what else the link does not hold. */
export function shareLink(url: string, source: unknown, without = ''): ShareLink {
  const parts = [isLocal(source) ? withoutModel : '', without];
  return { url, without: parts.filter((part) => part !== '').join(' ') };
}

/** The link to a file that the page reads; a text where it has no address. */
export function fileLink(url: string, source: unknown): ShareLink | string {
  return urlInLink(source) === ''
    ? 'A file of this machine cannot be in a link. Put it at an address, and open that address here.'
    : { url, without: '' };
}
