// What is read from outside has limits: pages of a site, and files of an index that a server answers with.
import { AmbryError } from 'ambry/terms';

export const limits = {
  /** Bytes of an HTML file. */
  pageBytes: 64 * 1024 * 1024,
  /** Levels of elements. Browsers stop at 512 too. */
  pageDepth: 512,
  /** Passages of a page. */
  pagePassages: 65_536,
  /** Pages of a site. */
  pages: 1_000_000,
  /** Characters of a title, a heading, an anchor, or a filter's value. Longer ones are cut. */
  nameLength: 1024,
  /** Filters and their values on a page. */
  pageFilters: 256,
  /** Languages of an index: a search looks for words in each of them. */
  languages: 256,
  manifestBytes: 16 * 1024 * 1024,
  /** Bytes of any other file of an index, as it is stored and when it is unpacked. */
  fileBytes: 32 * 1024 * 1024,
  /** Characters of a query. Longer ones are cut. */
  queryLength: 1024,
} as const;

/** Throws `LimitExceeded` if `value` is above the limit of this name. */
export function checkLimit(name: keyof typeof limits, value: number, path: string): void {
  const most = limits[name];
  if (value <= most) {
    return;
  }
  const message = `${path} exceeds the limit ${name}: ${value} of at most ${most}.`;
  throw new AmbryError('LimitExceeded', message, { path });
}
