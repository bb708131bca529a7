// `ambry-site-search/build`: makes the index of a built site, in Node.
export { buildSiteIndex } from './build/build-site-index.ts';
export type { BuildOptions, BuildResult } from './build/options.ts';
