// The pages of the site, in the order of the navigation. A new page is one row here and its folder.

export interface SitePage {
  /** Path of the page below the site's root, which is also its entry for the build. */
  readonly path: string;
  /** Its name in the navigation. */
  readonly name: string;
}

export const sitePages: readonly SitePage[] = [
  { path: 'index.html', name: 'Search' },
  { path: 'words/index.html', name: 'Words' },
  { path: 'classify/index.html', name: 'Classify' },
  { path: 'chat/index.html', name: 'Chat' },
  { path: 'check/index.html', name: 'Check a file' },
  { path: 'convert/index.html', name: 'Convert' },
];
