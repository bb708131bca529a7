// The pages are used with the keyboard alone.
import { mergeTests } from '@playwright/test';
import { expect } from '../fixtures.ts';
import { test as searchTest } from '../pages/search-page.ts';
import { test as wordsTest } from '../pages/words-page.ts';

const test = mergeTests(searchTest, wordsTest);

test('the words page can be used with the keyboard alone', async ({ page, words }) => {
  await words.word.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('violin');
  await page.keyboard.press('Enter');
  await expect(words.answer).toContainText('“violin”');
  const reached = new Set<string>();
  for (let step = 0; step < 24; step += 1) {
    await page.keyboard.press('Tab');
    reached.add(
      await page.evaluate(() => {
        const at = document.activeElement;
        return (at?.getAttribute('aria-label') ?? at?.textContent ?? '').trim();
      }),
    );
  }
  for (const name of ['winter', 'Zoom in', 'Show all of the map', 'The map as text']) {
    expect(reached).toContain(name);
  }
  await words.neighbours.first().getByRole('button').focus();
  await page.keyboard.press('End');
  await expect(words.neighbours.last().getByRole('button')).toBeFocused();
  const last = await words.neighbours.last().getByRole('button').textContent();
  await page.keyboard.press('Enter');
  await expect(words.word).toHaveValue(last ?? '');
});

test('the search page can be used with the keyboard alone', async ({ page, search }) => {
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the search field' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(search.query).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(search.query).not.toBeFocused();
  await page.keyboard.press('/');
  await expect(search.query).toBeFocused();
  await page.keyboard.type('goldfish in a bowl');
  await expect(search.results.first()).toContainText('Goldfish');
  await expect(search.marks.first()).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(search.results.nth(0)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(search.results.nth(1)).toBeFocused();
  await page.keyboard.press('End');
  await expect(search.results.last()).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowUp');
  await expect(search.query).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  await expect(search.query).toBeFocused();
  await page.keyboard.type(' / tank');
  await expect(search.query).toHaveValue('goldfish in a bowl / tank');
});

test('Tab reaches every control in the order of the page', async ({ page, search }) => {
  await search.query.focus();
  const names: string[] = [];
  for (let step = 0; step < 14; step += 1) {
    await page.keyboard.press('Tab');
    names.push(
      await page.evaluate(() => {
        const at = document.activeElement;
        const label = at instanceof HTMLInputElement ? at.labels?.[0]?.textContent : null;
        return (label ?? at?.getAttribute('aria-label') ?? at?.textContent ?? '').trim();
      }),
    );
  }
  expect(names.slice(0, 4)).toEqual([
    'Ranking',
    'trouble falling asleep at night',
    'what helps against an insect bite',
    'nausea on a boat',
  ]);
  for (const name of [
    'Open another model',
    'Remove Everyday notes',
    'Add files…',
    'Paste text',
    'Export',
    'Import…',
  ]) {
    expect(names).toContain(name);
  }
});
