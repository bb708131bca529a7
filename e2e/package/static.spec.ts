// A static encoder in the browser: under the strict policy of the pages, with a module of its own that is small.
import { brotliCompressSync, constants } from 'node:zlib';
import type { Page } from '@playwright/test';
import {
  model2vecDirectory,
  unigramDirectory,
} from '../../tests/web/support/directories/static-directories.ts';
import { contentOf } from '../../tests/web/support/servers/byte-server.ts';
import { expect } from '../fixtures.ts';
import { test } from './package-site.ts';

type Api = typeof import('ambry');

/** Bytes of the module and its worker, which has the module's JavaScript in it, as servers send them (brotli). */
const moduleBudget = 102e3;

async function staticFile(directory = model2vecDirectory(true)): Promise<Buffer> {
  const { convert } = (await import(
    new URL('../../dist/node.js', import.meta.url).href
  )) as unknown as Api;
  return Buffer.from(await (await convert(directory)).arrayBuffer());
}

function brotliSize(bytes: Buffer): number {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  return brotliCompressSync(bytes, { params }).length;
}

/** Embeds and searches in the page. */
function search(page: Page, origin: string, url: string, options: object) {
  return page.evaluate(
    async ([entry, address, how]) => {
      const { open, createIndex } = (await import(entry as string)) as Api;
      const model = await open(address as string, { kind: 'encoder', ...(how as object) });
      const docs = ['the cat sat on the mat', 'a dog ran home'].map((text, id) => ({ id, text }));
      const index = await createIndex(model, docs);
      const [best] = await index.search('a dog ran home', { k: 1 });
      const vector = await model.embed('the cat');
      await index.dispose();
      await model.dispose();
      return { best: best?.id, length: Math.hypot(...vector), dim: vector.length };
    },
    [`${origin}/index.js`, url, options] as const,
  );
}

function scriptsOf(page: Page): string[] {
  const urls: string[] = [];
  page.context().on('request', (request) => {
    if (/\.(js|wasm)$/.test(request.url())) {
      urls.push(request.url());
    }
  });
  return urls;
}

/** What Ambry needs at most. Workers have the policy of their own script. */
const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src data:";

/** Serves the page and its scripts under the policy. */
async function makeStrict(page: Page, origin: string): Promise<void> {
  await page.context().route(/\/$|\.js$/, async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), 'content-security-policy': policy };
    await route.fulfill({ response, headers });
  });
  await page.goto(`${origin}/`);
}

const nameOf = (url: string) => url.split('/').at(-1) ?? '';

test('a page that knows it downloads one small module', async ({ page, packageSite }) => {
  const { origin, serve } = packageSite;
  const { url } = serve({ content: contentOf(await staticFile()) });
  await makeStrict(page, origin);
  const urls = scriptsOf(page);
  const found = await search(page, origin, url, { architecture: 'static' });
  expect(found).toEqual({ best: 1, length: expect.closeTo(1, 5), dim: 6 });
  const names = new Set(urls.map(nameOf));
  expect([...names].filter((name) => name.endsWith('.wasm'))).toEqual([
    'ambry-static-small-baseline.wasm',
  ]);
  let total = 0;
  for (const url of new Set(urls)) {
    if (!/ambry-static|static-worker|workers\/(shared|glue)/.test(url)) {
      continue;
    }
    const size = brotliSize(Buffer.from(await (await fetch(url)).arrayBuffer()));
    console.log(`${nameOf(url)}: ${size} bytes (brotli)`);
    total += size;
  }
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThanOrEqual(moduleBudget);
});

test('a page that does not know it opens it with a second worker', async ({
  page,
  packageSite,
}) => {
  const { origin, serve } = packageSite;
  const { url } = serve({ content: contentOf(await staticFile()) });
  const urls = scriptsOf(page);
  expect(await search(page, origin, url, {})).toMatchObject({ best: 1, dim: 6 });
  expect(urls.map(nameOf)).toContain('encoder-small-worker.js');
  expect(urls.map(nameOf)).toContain('ambry-static-small-baseline.wasm');
});

test('one with another tokenizer has a module of its own, too', async ({ page, packageSite }) => {
  const { origin, serve } = packageSite;
  const { url } = serve({ content: contentOf(await staticFile(unigramDirectory())) });
  for (const how of [{ architecture: 'static' }, {}]) {
    const urls = scriptsOf(page);
    expect(await search(page, origin, url, how)).toMatchObject({ best: 1, dim: 6 });
    expect(urls.map(nameOf)).toContain('ambry-static-baseline.wasm');
  }
});
