import { expect } from '../fixtures.ts';
import { test } from '../pages/search-page.ts';

const asked = (url: string): string | null => new URL(url).searchParams.get('q');

test('a reload asks the question of the address again', async ({ page, search }) => {
  await search.ask('goldfish in a bowl');
  await expect(page).toHaveURL(/\?q=goldfish\+in\+a\+bowl$/);
  await expect(page).toHaveTitle('goldfish in a bowl · Ambry');
  const best = await search.results.first().locator('.result-text').innerText();
  await page.reload();
  await expect(search.query).toHaveValue('goldfish in a bowl');
  await expect(search.results.first().locator('.result-text')).toHaveText(best);
});

test('Back and Forward go through the questions, not through the typing', async ({
  page,
  search,
}) => {
  const examples = page.getByRole('group', { name: 'Example questions' });
  await examples.getByRole('button', { name: 'trouble falling asleep at night' }).click();
  await expect(search.results.first()).toContainText('Insomnia');
  await expect.poll(() => asked(page.url())).toBe('trouble falling asleep at night');
  await search.query.fill('');
  await search.query.pressSequentially('goldfish in a bowl', { delay: 60 });
  await search.query.press('Enter');
  await expect.poll(() => asked(page.url())).toBe('goldfish in a bowl');
  await examples.getByRole('button', { name: 'nausea on a boat' }).click();
  await expect(search.results.first()).toContainText('Seasickness');

  await page.goBack();
  await expect(search.query).toHaveValue('goldfish in a bowl');
  await expect(search.results.first()).toContainText('Goldfish');
  await page.goBack();
  await expect(search.query).toHaveValue('trouble falling asleep at night');
  await expect(search.results.first()).toContainText('Insomnia');
  await page.goBack();
  await expect(search.query).toHaveValue('');
  await expect(search.results).toHaveCount(0);
  await page.goForward();
  await page.goForward();
  await expect(search.query).toHaveValue('goldfish in a bowl');
});

test('the address keeps the chosen sources and the forced build', async ({ page, search }) => {
  await search.open('?flavour=baseline&q=how+to+sleep&source=Health');
  await expect(search.query).toHaveValue('how to sleep');
  await expect(search.source('Health')).toHaveAttribute('aria-pressed', 'true');
  const sources = search.results.locator('.result-source');
  await expect(search.status).toContainText('passages in Health');
  expect(new Set(await sources.allInnerTexts())).toEqual(new Set(['Health']));
  await search.openSources();
  await page.getByRole('button', { name: 'All sources' }).click();
  await expect(page).toHaveURL(/\?flavour=baseline&q=how\+to\+sleep$/);
  await expect(search.fact(search.model, 'WebAssembly')).toHaveText('SIMD');
  await page.goBack();
  await expect(search.source('Health')).toHaveAttribute('aria-pressed', 'true');
});

test('the address keeps the ranking', async ({ page, search }) => {
  await search.ask('goldfish in a bowl');
  // The code that keeps the address is loaded after the first answer. A ranking chosen before that has no entry of its own.
  await expect(page).toHaveURL(/\?q=goldfish\+in\+a\+bowl$/);
  await expect(search.mode('Meaning and words')).toBeChecked();
  await search.rankBy('Meaning');
  await expect(page).toHaveURL(/\?q=goldfish\+in\+a\+bowl&mode=meaning$/);
  await page.reload();
  await expect(search.mode('Meaning')).toBeChecked();
  const score = search.results.first().locator('.result-score');
  await expect(score).toHaveAttribute('title', /^Cosine similarity/);
  await page.goBack();
  await expect(search.mode('Meaning and words')).toBeChecked();
  await expect(score).toHaveAttribute('title', /^Score of meaning and words/);
  await expect(search.query).toHaveValue('goldfish in a bowl');
});

test('a ranking chosen before the question is used for it', async ({ search }) => {
  await search.rankBy('Meaning');
  await search.ask('goldfish in a bowl');
  await expect(search.results.first().locator('.result-score')).toHaveAttribute(
    'title',
    /^Cosine similarity/,
  );
});

test('the page opens with invalid parameters in its address', async ({ page, search }) => {
  await search.open(`?q=${'%F0%9F%A6%89'.repeat(3)}&source=Nowhere&mode=odd&flavour=none`);
  await expect(search.results).toHaveCount(8);
  await expect(page.getByRole('button', { name: 'All sources' })).toBeHidden();
  await search.query.fill('');
  await expect(search.results).toHaveCount(0);
});

test('questions are saved only in the address', async ({ page, search }) => {
  await search.ask('goldfish in a bowl');
  await expect(page).toHaveURL(/goldfish/);
  const stored = await page.evaluate(async () => {
    const databases = await indexedDB.databases();
    const storage = { ...localStorage, ...sessionStorage, cookie: document.cookie };
    return JSON.stringify([storage, databases, history.state]);
  });
  expect(stored).not.toContain('goldfish');
});
