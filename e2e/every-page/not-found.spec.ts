// The page for an address without a page.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import send from 'send';
import { expect, test } from '../fixtures.ts';

const built = fileURLToPath(new URL('../../packages/demo/site/', import.meta.url));

/** Serves the site from /ambry/, and 404.html for what is not there, as GitHub Pages does. */
async function startPagesHost(): Promise<{ url: string; close: () => void }> {
  const missing = await readFile(`${built}404.html`);
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const answerMissing = (): void => {
      response.writeHead(404, { 'content-type': 'text/html; charset=utf-8' }).end(missing);
    };
    if (!path.startsWith('/ambry/')) {
      return answerMissing();
    }
    send(request, path.slice('/ambry'.length), { root: built })
      .on('error', answerMissing)
      .pipe(response);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ambry/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

for (const path of ['nothing', 'no/such/page', 'words/lost.html?word=winter#top']) {
  test(`the address /${path} has a page with the status 404`, async ({
    page,
    site,
    browserErrors,
  }) => {
    browserErrors.expect(/Failed to load resource: .*404/);
    const response = await page.goto(site + path);
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is no page here');
    const font = page.getByRole('heading', { level: 1 });
    await expect(font).toHaveCSS('font-family', /Brygada/);
    await page.getByRole('main').getByRole('link', { name: 'Check a file' }).click();
    await expect(page).toHaveURL(`${site}check/index.html`);
  });
}

for (const path of ['nothing', 'no/such/page', 'a/b/c']) {
  test(`on a host of static pages below a folder, /${path} has a page that works`, async ({
    page,
    browserErrors,
  }) => {
    browserErrors.expect(/Failed to load resource|Refused to (execute|apply)|MIME type/);
    const host = await startPagesHost();
    const response = await page.goto(host.url + path);
    expect(response?.status()).toBe(404);
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading).toHaveCSS('font-family', /Brygada/);
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
    await page.getByRole('main').getByRole('link', { name: 'Search' }).click();
    await expect(page).toHaveURL(`${host.url}search/index.html`);
    host.close();
  });
}
