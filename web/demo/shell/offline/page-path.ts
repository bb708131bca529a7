// The path of this page in the list of the site's files.

import { siteRoot } from '../../shared/site/site-root.ts';

export function pagePath(): string {
  const path = location.pathname.slice(siteRoot().pathname.length);
  return path === '' || path.endsWith('/') ? `${path}index.html` : path;
}
