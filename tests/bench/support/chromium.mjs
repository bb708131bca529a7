// Chromium, and a server on the same machine for what its pages fetch.
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import send from 'send';

const emptyPage = '<!doctype html><title>Bench</title><link rel="icon" href="data:," />';

const root = (folder) => fileURLToPath(new URL(`../../../${folder}/`, import.meta.url));
/** What modules of this folder import. */
export const ownFolders = Object.fromEntries(
  ['dist', 'tests/bench', 'web/src/wasm'].map((folder) => [`/${folder}/`, root(folder)]),
);

/** Nothing from elsewhere, so that clocks in pages show microseconds. */
const isolationHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** Answers with the page at `/`, with `files` (bytes by path), and with the `folders` that lie under their paths. */
export async function serverOf({ page = emptyPage, files = {}, folders = {}, isolated = false }) {
  const headers = new Map(isolated ? Object.entries(isolationHeaders) : []);
  const setHeaders = (response) => response.setHeaders(headers);
  const server = createServer((request, response) => {
    const [url] = request.url.split('?');
    const isPage = url === '/';
    const file = isPage ? page : files[url];
    if (file !== undefined) {
      setHeaders(response);
      const type = isPage ? 'text/html' : 'application/octet-stream';
      return response.setHeader('content-type', type).end(file);
    }
    const [path, folder] = Object.entries(folders).find(([path]) => url.startsWith(path)) ?? [];
    if (folder === undefined) {
      return response.writeHead(404).end();
    }
    setHeaders(response);
    send(request, url.slice(path.length - 1), { root: folder }).pipe(response);
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return server;
}

export const originOf = (server) => `http://127.0.0.1:${server.address().port}/`;

/** The browser, the server's origin, and what ends both. `args` are more arguments of the browser. */
export async function chromiumWith({ args = [], ...place }) {
  const server = await serverOf(place);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', ...args],
  });
  const close = async () => {
    await browser.close();
    server.close();
  };
  return { browser, origin: originOf(server), close };
}

/** What `work` of a module of the benchmarks (its path from their folder) gives for `given`, in a page with these files and folders besides ours. */
export async function inChromium(module, given, { files, folders, args } = {}) {
  const place = { files, folders: { ...ownFolders, ...folders }, isolated: true, args };
  const { browser, origin, close } = await chromiumWith(place);
  try {
    const page = await browser.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') {
        console.error(message.text());
      }
    });
    await page.goto(origin);
    const work = async ({ path, given }) => (await import(path)).work(given);
    return await page.evaluate(work, { path: `/tests/bench/${module}`, given });
  } finally {
    await close();
  }
}
