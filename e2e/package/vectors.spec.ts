// Own vectors in the browser: a page searches a file that is larger than the memory that it gives, and makes an index.
import { brotliCompressSync, constants } from 'node:zlib';
import type { Page } from '@playwright/test';
import { groupedVectors, nearestOf } from '../../tests/web/support/grouped-vectors.ts';
import { contentOf } from '../../tests/web/support/servers/byte-server.ts';
import { expect } from '../fixtures.ts';
import { test } from './package-site.ts';

type Api = typeof import('ambry');

/** Bytes of what a page needs for own vectors besides what all pages fetch, as servers send them (brotli). */
const vectorsBudget = 56e3;

const dim = 96;
const count = 6000;
const vectors = groupedVectors(count, { dim, groups: 100, spread: 0.4 });
const rowOf = (i: number) => vectors.slice(i * dim, (i + 1) * dim);

async function fileOf(): Promise<Uint8Array> {
  const { createVectorIndex } = (await import(
    new URL('../../dist/node.js', import.meta.url).href
  )) as unknown as Api;
  const ids = Array.from({ length: count }, (_, i) => `vector ${i}`);
  const index = await createVectorIndex({ vectors, ids }, { lists: 100 });
  const file = new Uint8Array(await (await index.save()).arrayBuffer());
  await index.dispose();
  return file;
}

/** The ids that the page finds for each query. */
function search(page: Page, entry: string, url: string, queries: readonly number[][]) {
  return page.evaluate(
    async ([script, address, numbers]) => {
      const { openVectorIndex } = (await import(script)) as Api;
      const index = await openVectorIndex(address, { memory: 32_000 });
      const found: (string | number)[][] = [];
      for (const query of numbers) {
        // All lists, so that what is found is exact.
        const how = { k: 5, probes: 100, candidates: 600 };
        const hits = await index.search(Float32Array.from(query), how);
        found.push(hits.map(({ id }) => id));
      }
      const { size } = index;
      await index.dispose();
      return { found, size };
    },
    [entry, url, queries] as const,
  );
}

for (const entry of ['index.js', 'vectors.js']) {
  test(`a page of ${entry} finds the exact neighbours in a file larger than its memory`, async ({
    page,
    packageSite,
  }) => {
    const file = await fileOf();
    expect(file.length).toBeGreaterThan(20 * 32_000);
    const { url, asked } = packageSite.serve({ content: contentOf(file) }, 'own.ambryindex');
    const rows = [3, 2000, 5999].map(rowOf);
    const queries = rows.map((row) => Array.from(row));
    const { found, size } = await search(page, `${packageSite.origin}/${entry}`, url, queries);
    expect(size).toBe(count);
    // The browser asks again for what it has in its cache, and hears that it is the same.
    expect(asked.filter(({ status }) => ![206, 304].includes(status))).toEqual([]);
    for (const [i, ids] of found.entries()) {
      // int8 rows may change the order of those that are equally near.
      const near = nearestOf(vectors, rows[i] as Float32Array, 6).map((at) => `vector ${at}`);
      expect(near.slice(0, 1)).toEqual(ids.slice(0, 1));
      expect(ids.filter((id) => near.includes(String(id))).length).toBeGreaterThanOrEqual(4);
    }
  });
}

test('a page makes an index, and downloads no more than promised', async ({
  page,
  packageSite,
}) => {
  const urls = new Set<string>();
  page.context().on('request', (request) => {
    if (/\.(js|wasm)$/.test(request.url())) {
      urls.add(request.url());
    }
  });
  const made = await page.evaluate(
    async ([script, numbers, length]) => {
      const { createVectorIndex } = (await import(script)) as Api;
      const given = Float32Array.from(numbers);
      const index = await createVectorIndex({ vectors: given, dim: length }, { lists: 20 });
      const [best] = await index.search(given.slice(7 * length, 8 * length), { k: 1 });
      const blob = await index.save();
      await index.dispose();
      return { best: best?.id, bytes: blob.size };
    },
    [`${packageSite.origin}/index.js`, Array.from(vectors.slice(0, 500 * dim)), dim] as const,
  );
  expect(made.best).toBe(7);
  expect(made.bytes).toBeGreaterThan(500 * dim);
  const names = [...urls].map((url) => url.split('/').at(-1));
  expect(names.filter((name) => name?.endsWith('.wasm'))).toEqual(['ambry-vectors-baseline.wasm']);
  let total = 0;
  for (const url of urls) {
    if (!/vectors/.test(url)) {
      continue;
    }
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    const size = brotliCompressSync(bytes, { params }).length;
    console.log(`${url.split('/').at(-1)}: ${size} bytes (brotli)`);
    total += size;
  }
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThanOrEqual(vectorsBudget);
});
