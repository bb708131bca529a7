// In a cross-origin isolated page, workers share the weights of a model.

import { readFile } from 'node:fs/promises';
import { mergeTests } from '@playwright/test';
import { expect } from '../fixtures.ts';
import { ChatPage, test as chatTest } from '../pages/chat-page.ts';
import { SearchPage, test as searchTest } from '../pages/search-page.ts';

const test = mergeTests(chatTest, searchTest);

const lines = Array.from(
  { length: 3000 },
  (_, n) => `{"text":"Line ${n} of a long book about the sea, the wind and ${n % 97} ships."}`,
);

const name = 'english-192x1.weights';
const transformer = new URL(`../../packages/demo/site/models/${name}`, import.meta.url);

/** The first results of a question, with scores, after two workers indexed the documents. */
async function found(search: SearchPage): Promise<(string | undefined)[]> {
  // The built-in static encoder needs one worker only.
  await search.chooseModel({ name, buffer: await readFile(transformer) });
  await expect(search.fact(search.index, 'Dimensions')).toHaveText('192');
  await search.indexDocuments({ name: 'book.jsonl', buffer: Buffer.from(lines.join('\n')) });
  await expect(search.fact(search.index, 'Vectors')).toHaveText('3,000', { timeout: 60_000 });
  await search.ask('how many ships are at sea');
  const texts = await search.results.allTextContents();
  // How close they are is said later.
  return texts.map((text) => /(^.*ships\.).*(Similarity 0\.\d+)/.exec(text)?.slice(1).join(' '));
}

test('workers with shared memory give the same index as workers with copies', async ({
  browser,
  isolatedSite,
  search,
}) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const isolated = new SearchPage(page, isolatedSite);
  await isolated.open();
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  const shared = await found(isolated);
  expect(shared).not.toContain(undefined);
  // A worker for the model, a second one that embeds, and one for the index.
  const workers = page.workers();
  expect(workers.length).toBeGreaterThan(2);
  // The model's worker and the second one run over one memory.
  expect(workers.filter((worker) => /\/encoder-/.test(worker.url())).length).toBe(3);
  for (const worker of workers) {
    expect(await worker.evaluate(() => typeof SharedArrayBuffer)).toBe('function');
  }
  expect(shared).toEqual(await found(search));
  await context.close();
});

test('the chat page writes the same story in memory that threads could share', async ({
  browser,
  isolatedSite,
  chat,
}) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const isolated = new ChatPage(page, isolatedSite);
  await isolated.open();
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  expect(page.workers().some((worker) => worker.url().includes('/generator-worker'))).toBe(true);
  expect(await isolated.answers.allTextContents()).toEqual(await chat.answers.allTextContents());
  await context.close();
});
