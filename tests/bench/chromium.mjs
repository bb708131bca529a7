// Chromium, and a server on the same machine for what its pages fetch.
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import sirv from 'sirv';

const emptyPage = '<!doctype html><title>Bench</title><link rel="icon" href="data:," />';

const root = (folder) => fileURLToPath(new URL(`../../${folder}/`, import.meta.url));
/** What modules of this folder import. */
const ownFolders = Object.fromEntries(
  ['dist', 'tests/bench', 'web/src/wasm'].map((folder) => [`/${folder}/`, root(folder)]),
);

/** Nothing from elsewhere, so that clocks in pages show microseconds. */
const isolationHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** Answers with the page at `/`, with `files` (bytes by path), and with the `folders` that lie under their paths. */
async function serverOf({ page = emptyPage, files = {}, folders = {}, isolated = false }) {
  const headers = new Map(isolated ? Object.entries(isolationHeaders) : []);
  const setHeaders = (response) => response.setHeaders(headers);
  const served = Object.entries(folders).map(([path, folder]) => [
    path,
    sirv(folder, { etag: true, setHeaders }),
  ]);
  const server = createServer((request, response) => {
    const isPage = request.url === '/';
    const file = isPage ? page : files[request.url];
    if (file !== undefined) {
      setHeaders(response);
      const type = isPage ? 'text/html' : 'application/octet-stream';
      return response.setHeader('content-type', type).end(file);
    }
    const [path, serve] = served.find(([path]) => request.url.startsWith(path)) ?? [];
    const notFound = () => response.writeHead(404).end();
    if (!serve) return notFound();
    request.url = request.url.slice(path.length - 1);
    serve(request, response, notFound);
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return server;
}

/** The browser, the server's origin, and what ends both. */
export async function chromiumWith(place) {
  const server = await serverOf(place);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  const close = async () => {
    await browser.close();
    server.close();
  };
  return { browser, origin: `http://127.0.0.1:${server.address().port}/`, close };
}

/** What `work` of a module in this folder gives for `given`, in a page with these files and folders besides ours. */
export async function inChromium(module, given, { files, folders }) {
  const place = { files, folders: { ...ownFolders, ...folders }, isolated: true };
  const { browser, origin, close } = await chromiumWith(place);
  try {
    const page = await browser.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') console.error(message.text());
    });
    await page.goto(origin);
    const work = async ({ path, given }) => (await import(path)).work(given);
    return await page.evaluate(work, { path: `/tests/bench/${module}`, given });
  } finally {
    await close();
  }
}
