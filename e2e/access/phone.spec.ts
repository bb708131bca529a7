// The pages fit on a narrow phone.
import { mergeTests } from '@playwright/test';
import { expect } from '../fixtures.ts';
import { test as checkTest } from '../pages/check-page.ts';
import { test as converterTest } from '../pages/convert-page.ts';
import { test as searchTest } from '../pages/search-page.ts';
import { test as wordsTest } from '../pages/words-page.ts';
import { withReservedWord } from '../support/edit-embd.ts';
import { excessWidth } from '../support/layout.ts';

const test = mergeTests(checkTest, converterTest, searchTest, wordsTest);

test('the words page fits on a narrow phone', async ({ page, words }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await words.lookUp('moonlike');
  await words.accuracy.getByRole('button', { name: 'Use the built-in questions' }).click();
  await expect(words.sections.last()).toContainText('Total');
  expect(await excessWidth(page)).toBeLessThanOrEqual(0);
});

test('the convert page fits on a narrow phone', async ({ page, converter, tiny }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await converter.choose({ name: 'tiny.weights', buffer: tiny });
  await converter.convertTo('EMBD');
  await expect(converter.verdict).toContainText('Checked');
  expect(await excessWidth(page)).toBeLessThanOrEqual(0);
});

test('the check page fits on a narrow phone', async ({ page, check, tiny }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await check.choose({ name: 'odd.weights', buffer: withReservedWord(tiny) });
  await expect(check.verdict).toContainText('Valid EMBD');
  await check.report.getByRole('button', { name: 'Check all values' }).click();
  await expect(check.verdict).toContainText('all values');
  await check.table.getByRole('row').nth(1).getByRole('button').click();
  await check.map.getByRole('button', { name: /^header/ }).click();
  await expect(check.map.locator('.hex')).toBeVisible();
  const scrollers = await check.report.evaluate((report) =>
    [...report.querySelectorAll('*')]
      .filter(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => {
        return (
          clientWidth > 0 && (scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1)
        );
      })
      .filter((node) => /auto|scroll/.test(getComputedStyle(node).overflow))
      .map(({ id, className }) => `${id} ${className}`),
  );
  expect(scrollers, 'only the page scrolls').toEqual([]);
  expect(await excessWidth(page)).toBeLessThanOrEqual(0);
});

test('the search page fits on a narrow phone', async ({ page, search }, info) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await search.ask('trouble falling asleep at night');
  await page.getByText('Open another model').click();
  await page.getByText('Paste text').click();
  expect(await excessWidth(page)).toBeLessThanOrEqual(0);
  const size = await search.query.evaluate((node) =>
    Number.parseFloat(getComputedStyle(node).fontSize),
  );
  expect(size, 'phones zoom in on fields with smaller text').toBeGreaterThanOrEqual(16);
  await page.screenshot({ path: info.outputPath('phone.png'), fullPage: true });
});

test('files are chosen with a finger, and dropped with a mouse', async ({ browser, site }) => {
  for (const hasTouch of [true, false]) {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      isMobile: hasTouch,
      hasTouch,
      serviceWorkers: 'block',
    });
    const page = await context.newPage();
    for (const path of ['index.html', 'check/index.html', 'convert/index.html']) {
      await page.goto(site + path);
      const target = page.locator('#drop-target');
      await expect(target.getByText(/^Choose (any|files or|a model)/)).toBeVisible({
        visible: hasTouch,
      });
      await expect(target.getByText(/^Drop /)).toBeVisible({ visible: !hasTouch });
      expect(await excessWidth(page)).toBeLessThanOrEqual(0);
    }
    await page.goto(site);
    const middles = await page
      .locator('#drop-target .button, #drop-target .note')
      .evaluateAll((parts) =>
        parts.map((part) => {
          const { left, right } = part.getBoundingClientRect();
          return Math.round((left + right) / 2);
        }),
      );
    // Two buttons in one row stand around the middle.
    const [first = 0, second = 0, note = 0] = middles;
    expect(Math.abs((first + second) / 2 - note)).toBeLessThan(20);
    await context.close();
  }
});
