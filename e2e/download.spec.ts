// What a visitor downloads to search, counted from the requests that the browser makes, compressed as
// servers do. The budget is a promise; a change that breaks it has to earn its bytes.
import { brotliCompressSync, constants } from 'node:zlib';
import { expect, test } from './fixtures.ts';

const kBudget = 94.5 * 1000;

interface Row {
  readonly name: string;
  readonly raw: number;
  readonly brotli: number;
}

// Chromium does not keep what a worker streams into WebAssembly, so the file is fetched once more.
async function rowOf(url: string): Promise<Row> {
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  return { name, raw: bytes.length, brotli: brotliCompressSync(bytes, { params }).length };
}

const line = (name: string, raw: number | string, brotli: number | string) =>
  [name.padEnd(36), String(raw).padStart(9), String(brotli).padStart(9)].join(' ');

test('searching downloads JavaScript and WebAssembly within the budget', async ({
  context,
  search,
}) => {
  const urls = new Set<string>();
  const later = new Set<string>();
  await context.route(/\.(js|mjs|wasm)$/, async (route) => {
    const answered = await search.results.count();
    (answered > 0 ? later : urls).add(route.request().url());
    await route.continue();
  });
  await search.page.reload();
  await search.expectReady();
  await search.ask('trouble falling asleep at night');
  await expect(search.sources).toBeVisible();
  // What refines the answers comes when the first of them is on the page.
  expect(later.size).toBeGreaterThan(0);

  const rows = await Promise.all([...urls].map(rowOf));
  const total = rows.reduce((sum, { brotli }) => sum + brotli, 0);
  const table = rows
    .sort((a, b) => b.brotli - a.brotli)
    .map(({ name, raw, brotli }) => line(name, raw, brotli));
  console.log(
    [
      line('what searching downloads', 'bytes', 'brotli'),
      ...table,
      line('in all', `of ${kBudget}`, total),
    ].join('\n'),
  );
  expect(rows.filter(({ name }) => name.endsWith('.wasm'))).toHaveLength(1);
  expect(rows.filter(({ name }) => name.endsWith('.js')).length).toBeGreaterThanOrEqual(2);
  expect(total).toBeLessThanOrEqual(kBudget);
});
