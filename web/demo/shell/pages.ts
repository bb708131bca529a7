// The pages of the site, in the order of the navigation. A new page needs a row here and a folder.

export interface SitePage {
  /** The path below the site's root. The build takes it as an entry. */
  readonly path: string;
  /** The name in the navigation. */
  readonly name: string;
}

/** The landing page, to which the logo leads. */
export const homePath = 'index.html';

/** Servers send it, with the status 404, for an address without a page. */
export const missingPath = '404.html';

export const sitePages: readonly SitePage[] = [
  { path: 'search/index.html', name: 'Search' },
  { path: 'words/index.html', name: 'Words' },
  { path: 'classify/index.html', name: 'Classify' },
  { path: 'chat/index.html', name: 'Chat' },
  { path: 'check/index.html', name: 'Check a file' },
  { path: 'convert/index.html', name: 'Convert' },
  { path: 'playground/index.html', name: 'Playground' },
];
