// A page that is cross-origin isolated, where workers share a model's weights.
import { expect, test } from './fixtures.ts';
import { SearchPage } from './pages/search-page.ts';

const kIsolation = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

const kLines = Array.from(
  { length: 3000 },
  (_, n) => `{"text":"Line ${n} of a long book about the sea, the wind and ${n % 97} ships."}`,
);

/** What a question finds among documents that two workers index, with scores, and without what comes later. */
async function found(search: SearchPage): Promise<(string | undefined)[]> {
  await search.indexDocuments({ name: 'book.jsonl', buffer: Buffer.from(kLines.join('\n')) });
  await expect(search.fact(search.index, 'Vectors')).toHaveText('3,000', { timeout: 60_000 });
  await search.ask('how many ships are at sea');
  const texts = await search.results.allTextContents();
  return texts.map((text) => /^.*Similarity 0\.\d+/.exec(text)?.[0]);
}

test('workers over one memory index as those over copies do', async ({ browser, site, search }) => {
  const context = await browser.newContext();
  await context.route('**/*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), ...kIsolation } });
  });
  const page = await context.newPage();
  const isolated = new SearchPage(page, site);
  await isolated.open();
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  const both = [await found(isolated), await found(search)];
  expect(both[0]).not.toContain(undefined);
  expect(both[0]).toEqual(both[1]);
  // The model's, another one that embeds, and the index's.
  const workers = page.workers();
  expect(workers.length).toBeGreaterThan(2);
  for (const worker of workers) {
    expect(await worker.evaluate(() => typeof SharedArrayBuffer)).toBe('function');
  }
  await context.close();
});
