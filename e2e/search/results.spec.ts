import { readFile } from 'node:fs/promises';
import { convert } from 'ambry';
import { expect } from '../fixtures.ts';
import type { GivenFile } from '../pages/files.ts';
import type { SearchPage } from '../pages/search-page.ts';
import { test } from '../pages/search-page.ts';
import { chooseShare } from '../support/share.ts';
import { tinyModel } from '../support/tiny-model.ts';

const file = (name: string, text: string): GivenFile => ({ name, buffer: Buffer.from(text) });

const ferry = 'The ferry leaves the harbour at seven in the morning on weekdays.';
const records = (name: string, ...texts: readonly string[]): GivenFile =>
  file(name, texts.map((text) => JSON.stringify({ text })).join('\n'));

const times = records(
  'times.jsonl',
  ferry,
  'Tickets are sold at the kiosk by the pier.',
  'The island has one shop.',
);
const poster = records('poster.jsonl', ferry.replace(' on', ', on'), 'Dogs travel free.');

/** Adds both documents and asks about the ferry. */
async function askTheFerry(search: SearchPage): Promise<void> {
  await search.addDocuments(times, poster);
  await expect(search.documents).toContainText('5 passages');
  await search.ask('when does the boat depart');
  await expect(search.results).toHaveCount(4);
}

test('words of the question are marked, with their plurals', async ({ search }) => {
  await search.ask('goldfish in a bowl');
  await expect(search.results.first()).toContainText('Goldfish do badly in a bowl');
  await expect(search.results.first().locator('mark')).toHaveText(['Goldfish', 'bowl']);
  await search.ask('what is it to be');
  await expect(search.marks).toHaveCount(0);
});

test('near-duplicates are grouped under one result', async ({ search }) => {
  await askTheFerry(search);
  await expect(search.status).toContainText('Best 4 of 5 passages');
  const folded = search.results.filter({ hasText: 'more like this' });
  await expect(folded).toHaveCount(1);
  await folded.getByText('1 more like this').click();
  await expect(folded.getByRole('listitem')).toContainText('The ferry leaves the harbour at seven');
  const both = await folded.locator('.result-source').allInnerTexts();
  expect(both.map((text) => text.split(' ')[0]).sort()).toEqual(['poster.jsonl', 'times.jsonl']);
});

test('an open group stays open and focused while documents are added', async ({ search }) => {
  await askTheFerry(search);
  const summary = search.results.first().getByText('1 more like this');
  await summary.focus();
  await summary.press('Enter');
  await search.addDocuments(file('soup.txt', 'Soup is eaten with a spoon.'));
  await expect(search.results).toHaveCount(5);
  await expect(summary).toBeFocused();
  await expect(search.results.first().getByRole('listitem')).toBeVisible();
});

test('results come from the chosen sources', async ({ page, search }) => {
  await askTheFerry(search);
  await expect(search.source('times.jsonl')).toHaveText('times.jsonl 3');
  await search.pickSource('poster.jsonl');
  await expect(search.source('poster.jsonl')).toHaveAttribute('aria-pressed', 'true');
  await expect(search.status).toContainText('Best 2 of 2 passages in poster.jsonl');
  await expect(search.results).toHaveCount(2);
  await expect(search.results.locator('.result-source')).toHaveText([
    'poster.jsonl',
    'poster.jsonl',
  ]);
  await search.pickSource('times.jsonl');
  await expect(search.results).toHaveCount(4);
  await page.getByRole('button', { name: 'All sources' }).click();
  await expect(search.source('poster.jsonl')).toHaveAttribute('aria-pressed', 'false');
  await expect(page.getByRole('button', { name: 'All sources' })).toBeHidden();
});

test('words count for the ranking unless meaning alone is chosen', async ({ search }) => {
  await search.indexDocuments(
    records('parts.jsonl', 'Order the bolt QX7731 for it.', 'The pump is noisy.', 'Pumps hum.'),
  );
  await expect(search.documents).toContainText('3 passages');
  await search.ask('pump QX7731');
  const score = search.results.filter({ hasText: 'QX7731' }).locator('.result-score');
  const together = /^Score of meaning and words\. Meaning alone: /;
  await expect(score).toHaveAttribute('title', together);
  await expect(search.results.first()).toContainText('QX7731');
  await search.rankBy('Meaning');
  await expect(score).toHaveAttribute('title', /^Cosine similarity/);
  await search.rankBy('Meaning and words');
  await expect(score).toHaveAttribute('title', together);
});

test('the contributions of the word pieces sum to the similarity', async ({ search }) => {
  await search.rankBy('Meaning');
  await search.ask('goldfish in a bowl');
  const first = search.results.first();
  await first.getByText('Contribution of each word piece').click();
  await expect(first.locator('.piece').first()).toBeVisible();
  expect(await first.locator('.pieces').innerText()).toBe(
    await first.locator('.result-text').innerText(),
  );
  const strongest = first.locator('.piece[style*="--share: 1"]');
  await expect(strongest).toHaveText(/fish|gold|bowl/i);
  await expect(first).toContainText(/Largest positive contributions: “\w+” \+0\.\d{3}/);
  const shown = /0\.\d{3}/.exec(await first.locator('.result-score').innerText())?.[0];
  const sum = /The sum of all contributions is the cosine similarity, (0\.\d{3})/;
  const explained = Number(sum.exec(await first.locator('.note').innerText())?.[1]);
  // The index may quantize its vectors.
  expect(Math.abs(explained - Number(shown))).toBeLessThan(0.01);
  await expect(search.results.locator('.pieces')).toHaveCount(1);
});

test('a model without contributions of word pieces is reported', async ({ search }) => {
  const files = tinyModel();
  const pooling = { word_embedding_dimension: 32, pooling_mode_cls_token: true };
  files.set('1_Pooling/config.json', Buffer.from(JSON.stringify(pooling)));
  const weights = await convert(files, { to: 'embd' });
  const buffer = Buffer.from(await weights.arrayBuffer());
  await search.chooseModel({ name: 'first.weights', buffer });
  await expect(search.fact(search.model, 'Dimensions')).toHaveText('32');
  await search.ask('goldfish in a bowl');
  await search.results.first().getByText('Contribution of each word piece').click();
  await expect(search.alert).toContainText('The result could not be explained');
  await expect(search.fact(search.alert, 'Code')).toHaveText('Unsupported');
});

test('two sources can be chosen before the first search ends', async ({ search }) => {
  await askTheFerry(search);
  await search.openSources();
  await expect(search.source('times.jsonl')).toBeVisible();
  await search.sources.evaluate((group) => {
    const chips = [...group.querySelectorAll('button')];
    for (const name of ['poster.jsonl', 'times.jsonl']) {
      chips.find(({ title }) => title.startsWith(name))?.click();
    }
  });
  await expect(search.status).toContainText('in poster.jsonl, times.jsonl');
  await expect(search.source('poster.jsonl')).toHaveAttribute('aria-pressed', 'true');
  await expect(search.source('times.jsonl')).toHaveAttribute('aria-pressed', 'true');
});

test('many sources are behind a “more” button', async ({ page, search }) => {
  const files = Array.from({ length: 12 }, (_, at) =>
    file(`page-${at + 1}.txt`, `Chapter ${at + 1} tells of a boat.`),
  );
  await search.indexDocuments(...files);
  await search.ask('boats');
  await search.openSources();
  await expect(search.sources.getByRole('button')).toHaveCount(9);
  await page.getByRole('button', { name: '4 more' }).click();
  const fewer = page.getByRole('button', { name: 'Fewer sources' });
  await expect(search.sources.getByRole('button')).toHaveCount(13);
  await expect(fewer).toBeFocused();
  await fewer.click();
  await expect(search.sources.getByRole('button')).toHaveCount(9);
});

test('a single document has no source buttons', async ({ search }) => {
  await search.indexDocuments(times);
  await search.ask('when does the boat depart');
  await expect(search.results.first().locator('mark, .result-text').first()).toBeVisible();
  await expect(search.sources).toBeHidden();
});

test('results are copied as Markdown', async ({ context, page, search }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await askTheFerry(search);
  await chooseShare(page, 'Copy as Markdown');
  await expect(search.status).toHaveText('Copied 4 passages as Markdown.');
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text).toMatch(
    /^## when does the boat depart\n\n1\. \*\*(times|poster)\.jsonl\*\* \(0\.\d{3}\), 1 more/,
  );
  expect(text).toContain('   > The ferry leaves the harbour at seven in the morning');
});

test('results are saved as a file if the page may not copy', async ({ page, search }) => {
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
  });
  await search.ask('goldfish in a bowl');
  const started = page.waitForEvent('download');
  await chooseShare(page, 'Copy as Markdown');
  const download = await started;
  expect(download.suggestedFilename()).toBe('answers.md');
  expect(await readFile(await download.path(), 'utf8')).toContain('## goldfish in a bowl');
  await expect(search.status).toContainText('It saved 8 passages as answers.md instead.');
});

test('plain results are shown even if the code for full results cannot be loaded', async ({
  browserErrors,
  page,
  search,
}) => {
  browserErrors.expect(/Failed to load resource/);
  await page.route(/\/results-[^/]*\.js$/, (route) => route.abort());
  await search.ask('goldfish in a bowl');
  await expect(search.results.first()).toContainText('Goldfish do badly in a bowl');
  await expect(search.alert).toContainText('Part of this page could not be loaded');
  await page.unroute(/\/results-[^/]*\.js$/);
  await search.ask('goldfish in bowls');
  await expect(search.results.first().locator('mark').first()).toHaveText('Goldfish');
});
