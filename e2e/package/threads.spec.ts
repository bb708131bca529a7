// Threads of language models in pages: with the headers of an isolated page, with the service worker of docs/threads.md,
// and without either.

import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import send from 'send';
import { languageFile } from '../../tests/web/support/files/language-file.ts';
import { ByteServer } from '../../tests/web/support/servers/byte-server.ts';
import { test as base, expect } from '../fixtures.ts';

const packageFolder = fileURLToPath(new URL('../../dist/', import.meta.url));
const recipe = readFileSync(new URL('../../docs/threads.md', import.meta.url), 'utf8');
const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self' blob:; img-src data:";
const isolationHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** The code of the recipe that has this text. */
function codeWith(text: string): string {
  const blocks = [...recipe.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code ?? '');
  const found = blocks.filter((code) => code.includes(text));
  expect(found).toHaveLength(1);
  return found[0] ?? '';
}

const scripts: Readonly<Record<string, string>> = {
  '/isolation.js': codeWith('addEventListener('),
  '/isolate.js': codeWith('serviceWorker.register'),
};
const pageWith = (script: string) =>
  `<!doctype html><title>Threads</title><link rel="icon" href="data:," />${script}`;
const pages: Readonly<Record<string, string>> = {
  '/': pageWith(''),
  '/recipe': pageWith('<script type="module" src="/isolate.js"></script>'),
};
const model = Buffer.from(languageFile({ layers: 3, width: 192, context: 256 }));

function answer(path: string, response: ServerResponse): boolean {
  const body = pages[path] ?? scripts[path] ?? (path === '/model.amb' ? model : undefined);
  if (body === undefined) {
    return false;
  }
  const type = path in pages ? 'text/html' : path in scripts ? 'text/javascript' : 'model/amb';
  response.setHeader('content-type', type);
  response.end(body);
  return true;
}

/** Serves the pages, the model and the package, each with these headers. */
async function withSite(headers: object, use: (origin: string) => Promise<void>): Promise<void> {
  const server = await ByteServer.start((request, response) => {
    response.setHeaders(new Map(Object.entries({ ...headers, 'content-security-policy': policy })));
    const path = request.url ?? '/';
    if (!answer(path, response)) {
      send(request, path, { root: packageFolder }).pipe(response);
    }
  });
  await use(server.origin);
  server.close();
}

const test = base.extend<{ plainSite: string; isolatedSite: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a pattern.
  plainSite: ({}, use) => withSite({}, use),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a pattern.
  isolatedSite: ({}, use) => withSite(isolationHeaders, use),
});

interface Written {
  readonly threads: number;
  readonly ids: readonly number[];
}

/** What a model writes on so many threads. */
function written(page: Page, threads: number): Promise<Written> {
  return page.evaluate(async (threads) => {
    const { open } = await import(`${location.origin}/index.js`);
    const model = await open('/model.amb', { threads });
    const options = { temperature: 0.8, seed: 3, maxTokens: 30, ignoreEos: true };
    const { ids } = await model.generate('Once upon a time', options).result;
    const { threads: found } = model;
    await model.dispose();
    return { threads: found, ids };
  }, threads);
}

const isIsolated = (page: Page) => page.evaluate(() => crossOriginIsolated);

test.use({ serviceWorkers: 'allow' });

test('a page without the headers runs one thread', async ({ page, plainSite }) => {
  await page.goto(plainSite);
  expect(await isIsolated(page)).toBe(false);
  expect((await written(page, 3)).threads).toBe(1);
});

test('an isolated page runs as many threads as it asks for, with the same tokens', async ({
  page,
  plainSite,
  isolatedSite,
}) => {
  await page.goto(plainSite);
  const alone = await written(page, 1);
  await page.goto(isolatedSite);
  expect(await isIsolated(page)).toBe(true);
  for (const threads of [1, 2, 4]) {
    expect(await written(page, threads)).toEqual({ threads, ids: alone.ids });
  }
  // Chromium gives a thread that sleeps two seconds to end by itself.
  await expect.poll(() => page.workers().length).toBe(0);
});

test('the service worker of docs/threads.md isolates a page of a static host', async ({
  page,
  plainSite,
}) => {
  await page.goto(`${plainSite}/recipe`);
  await expect.poll(() => isIsolated(page).catch(() => false)).toBe(true);
  expect((await written(page, 2)).threads).toBe(2);
});
