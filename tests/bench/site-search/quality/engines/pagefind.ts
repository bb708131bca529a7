// Pagefind, with the settings it has of itself. Its own code searches, in a page of Chromium.
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromiumWith } from '../../../support/chromium.mjs';
import type { Engine, MakeEngine } from './engine.ts';

interface Pagefind {
  init(): Promise<void>;
  search(query: string): Promise<{ results: { data(): Promise<{ url: string }> }[] }>;
}

export const makePagefind: MakeEngine = async ({ folder, out }, peers): Promise<Engine> => {
  await writeIndex(folder, out, peers);
  const { browser, origin, close } = await chromiumWith({ folders: { '/pagefind/': out } });
  const page = await browser.newPage();
  const fetched = new Set<string>();
  page.on('request', (request: { url(): string }) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/pagefind/')) {
      fetched.add(pathname.slice('/pagefind/'.length));
    }
  });
  const restart = async () => {
    await page.goto(origin);
    fetched.clear();
  };
  await restart();
  const isCode = (file: string) => /\.js$|^wasm/.test(file);
  const sizeOf = (file: string) => statSync(join(out, file)).size;
  return {
    name: 'Pagefind',
    indexBytes: files(out)
      .filter(isIndex)
      .reduce((sum, file) => sum + sizeOf(file), 0),
    codeBytes: ['pagefind.js', 'pagefind-worker.js', 'wasm.en.pagefind']
      .filter((file) => files(out).includes(file))
      .reduce((sum, file) => sum + sizeOf(file), 0),
    restart,
    async search(query, count) {
      fetched.clear();
      const found = await page.evaluate(searchInPage, { query, count });
      const bytes = [...fetched].filter((file) => !isCode(file)).map(sizeOf);
      return {
        pages: found.urls.map((url: string) => url.replace(/^\/|\.html$/g, '')),
        milliseconds: found.milliseconds,
        bytes: bytes.reduce((sum, size) => sum + size, 0),
        requests: bytes.length,
      };
    },
    async close() {
      await close();
    },
  };
};

/** Runs in the page. */
async function searchInPage({ query, count }: { query: string; count: number }) {
  const path = '/pagefind/pagefind.js';
  const pagefind = (await import(path)) as Pagefind;
  await pagefind.init();
  const start = performance.now();
  const { results } = await pagefind.search(query);
  const data = await Promise.all(results.slice(0, count).map((result) => result.data()));
  return { urls: data.map(({ url }) => url), milliseconds: performance.now() - start };
}

async function writeIndex(folder: string, out: string, peers: string): Promise<void> {
  const module = resolve(peers, 'node_modules/pagefind/lib/index.js');
  const pagefind = await import(pathToFileURL(module).href);
  const { index } = await pagefind.createIndex({ keepIndexUrl: true });
  const { errors } = await index.addDirectory({ path: folder });
  if (errors.length > 0) {
    throw new Error(errors.join('\n'));
  }
  await index.writeFiles({ outputPath: out });
  await pagefind.close();
}

const files = (folder: string): string[] => {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
};

const isIndex = (file: string): boolean =>
  /^(index|fragment|filter)\/|\.pf_meta$|entry\.json$/.test(file);
