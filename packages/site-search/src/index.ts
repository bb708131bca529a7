// `ambry-site-search`: searches the index of a static site, in browsers and in Node.

export type * from './client/base/types.ts';
export { openSiteSearch } from './client/open-site-search.ts';
export type { SiteSearch } from './client/site-search.ts';
