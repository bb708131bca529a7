// `ambry-site-search`: searches the index of a static site, in browsers and in Node.
export { openSiteSearch } from './client/open-site-search.ts';
export type { SiteSearch } from './client/site-search.ts';
export type * from './client/types.ts';
