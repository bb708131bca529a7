// The answer comes first: where it stands on a screen of 1280 × 900 and on a phone.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { CheckPage } from '../pages/check-page.ts';
import { ClassifyPage } from '../pages/classify-page.ts';
import { ConvertPage } from '../pages/convert-page.ts';
import { SearchPage } from '../pages/search-page.ts';
import { WordsPage } from '../pages/words-page.ts';

const desk = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };

const sample = async (name: string) => ({
  name,
  buffer: await readFile(
    fileURLToPath(new URL(`../../web/demo/public/samples/${name}`, import.meta.url)),
  ),
});

async function boxOf(element: Locator) {
  await expect(element).toBeVisible();
  const box = await element.boundingBox();
  if (box === null) {
    throw new Error('The element has no box.');
  }
  return { top: box.y, bottom: box.y + box.height, left: box.x, right: box.x + box.width };
}

/** Three answers are on the screen, and the first of them begins above this line. */
async function expectAnswers(answers: Locator, height: number, line: number): Promise<void> {
  expect((await boxOf(answers.nth(0))).top).toBeLessThanOrEqual(line);
  expect((await boxOf(answers.nth(2))).bottom).toBeLessThanOrEqual(height);
}

async function askedSearch(page: Page, site: string): Promise<SearchPage> {
  const search = new SearchPage(page, site);
  await search.open();
  await search.ask('trouble falling asleep at night');
  await expect(search.results.first().locator('.closeness')).toBeVisible();
  return search;
}

test('search and words show three answers, the first above 330 pixels', async ({ page, site }) => {
  await page.setViewportSize(desk);
  const search = await askedSearch(page, site);
  await expectAnswers(search.results, desk.height, 330);
  const words = new WordsPage(page, site);
  await words.open();
  await words.lookUp('violin');
  await expectAnswers(words.neighbours, desk.height, 330);
});

test('the classify page answers above 330 pixels in each task', async ({ page, site }) => {
  await page.setViewportSize(desk);
  const classify = new ClassifyPage(page, site);
  await classify.open();
  expect((await boxOf(classify.answer)).top).toBeLessThanOrEqual(330);
  await classify.openTask('text');
  await expectAnswers(classify.labels, desk.height, 330);
  await classify.openTask('names');
  expect((await boxOf(classify.marks.first())).top).toBeLessThanOrEqual(330);
  await expectAnswers(classify.entities, desk.height, 450);
  await classify.openTask('labels');
  await classify.learn.getByRole('button', { name: 'Learn a sample' }).click();
  const labels = classify.learn.getByRole('listitem');
  await expect(labels).toHaveCount(3);
  await expectAnswers(labels, desk.height, 330);
});

test('on a phone the classify page answers on the first screen', async ({ page, site }) => {
  await page.setViewportSize(phone);
  const classify = new ClassifyPage(page, site);
  await classify.open();
  expect((await boxOf(classify.answer)).bottom).toBeLessThanOrEqual(phone.height);
  await classify.openTask('text');
  await expectAnswers(classify.labels, phone.height, 600);
  await classify.openTask('names');
  expect((await boxOf(classify.marks.first())).bottom).toBeLessThanOrEqual(phone.height);
  await classify.openTask('labels');
  await classify.learn.getByRole('button', { name: 'Learn a sample' }).click();
  const labels = classify.learn.getByRole('listitem');
  await expect(labels).toHaveCount(3);
  await expectAnswers(labels, phone.height, 600);
});

test('what is wrong with a file is in the box of its verdict, above 420 pixels', async ({
  page,
  site,
}) => {
  await page.setViewportSize(desk);
  const check = new CheckPage(page, site);
  for (const name of ['damaged-file.amb', 'cut-off-download.gguf']) {
    await check.open();
    await check.choose(await sample(name));
    await expect(page.locator('#verdict-reason')).toBeVisible();
    await expect(check.progress).toBeHidden();
    const box = await boxOf(page.locator('#verdict'));
    const reason = await boxOf(page.locator('#verdict-reason'));
    expect(box.bottom).toBeLessThanOrEqual(420);
    expect(reason.bottom).toBeLessThanOrEqual(box.bottom);
  }
});

test('the button that converts is beside what was found', async ({ page, site }) => {
  await page.setViewportSize(desk);
  const converter = new ConvertPage(page, site);
  await converter.open();
  await converter.choose(await sample('stories.gguf'));
  const button = await boxOf(converter.convertButton);
  const found = await boxOf(page.locator('#source'));
  expect(found.bottom).toBeLessThanOrEqual(420);
  expect(button.top).toBeGreaterThanOrEqual(found.top);
  expect(button.bottom).toBeLessThanOrEqual(found.bottom);
  expect(button.right).toBeLessThanOrEqual(found.right);
});

test('on a phone the first answer is on the first screen', async ({ page, site }) => {
  await page.setViewportSize(phone);
  const search = await askedSearch(page, site);
  expect((await boxOf(search.results.first())).bottom).toBeLessThanOrEqual(phone.height);
  const words = new WordsPage(page, site);
  await words.open();
  await expectAnswers(words.neighbours, phone.height, 500);
  const check = new CheckPage(page, site);
  await check.open();
  await check.choose(await sample('damaged-file.amb'));
  await expect(page.locator('#verdict-reason')).toBeVisible();
  expect((await boxOf(page.locator('#verdict-reason'))).bottom).toBeLessThanOrEqual(phone.height);
  const converter = new ConvertPage(page, site);
  await converter.open();
  await converter.choose(await sample('stories.gguf'));
  expect((await boxOf(converter.convertButton)).bottom).toBeLessThanOrEqual(phone.height);
});

const titled = ['search', 'words', 'classify', 'chat', 'check', 'convert', 'playground'];

for (const size of [desk, phone]) {
  test(`titles and boxes for files stand at one height at ${size.width} pixels`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize(size);
    const titles = new Set<number>();
    const boxes = new Set<number>();
    for (const name of titled) {
      await page.goto(`${site}${name}/index.html`);
      titles.add(Math.round((await boxOf(page.getByRole('heading', { level: 1 }))).top));
      if (name === 'check' || name === 'convert') {
        boxes.add(Math.round((await boxOf(page.locator('#drop-target'))).top));
      }
    }
    expect([...titles]).toHaveLength(1);
    expect([...boxes]).toHaveLength(1);
  });
}

test('folds above the answers drop down over them, and close again', async ({ page, site }) => {
  await page.setViewportSize(desk);
  const search = await askedSearch(page, site);
  const { top } = await boxOf(search.results.first());
  await search.openSources();
  await expect(search.sources).toBeVisible();
  expect((await boxOf(search.results.first())).top).toBe(top);
  await page.keyboard.press('Escape');
  await expect(search.sources).toBeHidden();
  await expect(page.locator('#sources-menu > summary')).toBeFocused();
  await search.openSources();
  await search.query.click();
  await expect(search.sources).toBeHidden();
});
