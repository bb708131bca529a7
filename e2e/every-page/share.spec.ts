// The button "Share" of the pages: one button, with a menu for keys and pointers.
import { readFile } from 'node:fs/promises';
import { mergeTests } from '@playwright/test';
import { expect } from '../fixtures.ts';
import { test as checkTest } from '../pages/check-page.ts';
import { test as wordsTest } from '../pages/words-page.ts';
import { expectAccessible } from '../support/accessible.ts';
import { showPrograms } from '../support/share.ts';

const test = mergeTests(checkTest, wordsTest);
const stories = new URL('../../web/demo/public/samples/stories.gguf', import.meta.url);

test('the menu opens and closes by key, and gives the focus back', async ({ page, words }) => {
  await expect(words.answer).toContainText('winter');
  const host = page.locator('#lookup-share');
  const share = host.getByRole('button', { name: 'Share', exact: true });
  const entries = host.getByRole('group', { name: 'Share' }).getByRole('button');
  await expect(host.getByRole('button')).toHaveCount(1);
  await share.focus();
  await page.keyboard.press('Enter');
  await expect(share).toHaveAttribute('aria-expanded', 'true');
  await expect(entries).toHaveText([
    'Copy link',
    'Copy as Markdown',
    'Copy as CSV',
    'Copy as JSON',
    'Use this in your page',
  ]);
  await expectAccessible(page, 'the menu of Share is open');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(entries.nth(1)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(entries.first()).toBeHidden();
  await expect(share).toBeFocused();
  await expect(share).toHaveAttribute('aria-expanded', 'false');
  await share.click();
  await page.locator('body').press('Escape');
  await expect(entries.first()).toBeHidden();
  await share.click();
  await page.getByRole('heading', { level: 1 }).click();
  await expect(entries.first()).toBeHidden();
});

test('the programs are shown on request, and closed again', async ({ page, words }) => {
  await showPrograms(page, '#lookup-share');
  const programs = words.lookup.getByRole('region', { name: 'Use this in your page' });
  await expect(programs.locator('pre')).toContainText("similar('winter'".replaceAll("'", '"'));
  await words.lookUp('violin');
  await expect(programs.locator('pre')).toContainText('violin');
  await programs.getByRole('button', { name: 'Close' }).click();
  await expect(programs).toBeHidden();
});

test('a damaged file is not shared', async ({ page, check }) => {
  const share = page.getByRole('button', { name: 'Share', exact: true });
  const buffer = await readFile(stories);
  await check.choose({ name: 'stories.gguf', buffer });
  await expect(check.verdict).toContainText('Valid');
  await expect(share).toBeVisible();
  await check.choose({ name: 'half.gguf', buffer: buffer.subarray(0, buffer.length / 2) });
  await expect(check.verdict).not.toContainText('Valid');
  await expect(share).toBeHidden();
});
