// What is shown offline in place of a page that is not kept.

const policy = "default-src 'none'; img-src 'self'";

const nameOf = (page: string): string => page.replace(/\/?index\.html$/, '') || 'start page';

/** `pages` are the paths of the pages that work, below the site's root. */
export function notKeptPage(root: URL, pages: readonly string[]): Response {
  const links = pages.map(
    (page) => `<li><a href="${new URL(page, root)}">${nameOf(page)}</a></li>`,
  );
  const rest =
    links.length === 0
      ? ''
      : `<p>These pages work without a connection:</p><ul>${links.join('')}</ul>`;
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Ambry: no connection</title><link rel="icon" href="${new URL('icon.svg', root)}"></head>
<body><h1>No connection</h1><p>You have not opened this page on this device before. Connect to the network, and reload it.</p>${rest}</body></html>`;
  return new Response(html, {
    status: 503,
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
  });
}
