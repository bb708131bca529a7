// The focus stays in its place when the element that has it disappears.

import { mergeTests, type Page } from '@playwright/test';
import { expect } from '../fixtures.ts';
import { test as checkTest } from '../pages/check-page.ts';
import { FailureMessage } from '../pages/failure.ts';
import { dropFiles } from '../pages/files.ts';
import { test as searchTest } from '../pages/search-page.ts';
import { test as wordsTest } from '../pages/words-page.ts';

const test = mergeTests(checkTest, searchTest, wordsTest);

const text = (name: string, content: string) => ({ name, buffer: Buffer.from(content) });

/** The name of the focused element, or its text. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const now = document.activeElement;
    return now?.getAttribute('aria-label') ?? now?.textContent?.trim() ?? '';
  });

test('a message does not take the focus, and gives it back when it is dismissed', async ({
  page,
  words,
}) => {
  const failure = new FailureMessage(page);
  const field = page.locator('#word');
  await field.focus();
  await dropFiles(page, [text('a.zip', 'PK\x03\x04')]);
  await expect(failure.title).toBeVisible();
  await expect(field).toBeFocused();
  await failure.button('Dismiss').focus();
  await page.keyboard.press('Enter');
  await expect(failure.box).toBeEmpty();
  await expect(field).toBeFocused();
  await expect(words.alert).toBeEmpty();
});

test('a cancelled job gives the focus back', async ({ page, search }) => {
  await search.query.focus();
  const lines = Array.from({ length: 9000 }, (_, at) => `{"text": "Line ${at} of a long book"}`);
  await search.addDocuments(text('book.jsonl', lines.join('\n')));
  const cancel = search.progress.getByRole('button', { name: 'Cancel' });
  await expect(search.progress).toContainText('of 9,000 passages');
  await search.query.focus();
  await cancel.focus();
  await page.keyboard.press('Enter');
  await expect(search.progress).toBeHidden();
  await expect(search.query).toBeFocused();
});

test('a long job can be cancelled from the end of the page', async ({ page, search }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const lines = Array.from({ length: 60_000 }, (_, at) => `{"text": "Line ${at} of a long book"}`);
  await search.addDocuments(text('book.jsonl', lines.join('\n')));
  await expect(search.progress).toContainText('of 60,000 passages');
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const cancel = search.progress.getByRole('button', { name: 'Cancel' });
  await expect(cancel).toBeInViewport();
  await cancel.click();
  await expect(search.progress).toBeHidden();
});

test('the next document is ready to be removed after the one before', async ({ page, search }) => {
  await search.indexDocuments(
    text('a.txt', 'Ants.'),
    text('b.txt', 'Bees.'),
    text('c.txt', 'Cats.'),
  );
  await page.getByRole('button', { name: 'Remove b.txt' }).focus();
  await page.keyboard.press('Enter');
  await expect(search.documents).not.toContainText('b.txt');
  await expect.poll(() => focused(page)).toBe('Remove c.txt');
  await page.keyboard.press('Enter');
  await expect(search.documents).not.toContainText('c.txt');
  await expect.poll(() => focused(page)).toBe('Remove a.txt');
});

test('the list of checked files keeps the focus while they are checked', async ({
  page,
  check,
  tiny,
}) => {
  await check.choose({ name: 'a.weights', buffer: tiny }, { name: 'b.weights', buffer: tiny });
  await expect(check.files).toHaveCount(2);
  await check.files.nth(1).getByRole('button').first().focus();
  await page.keyboard.press('Enter');
  await expect(check.verdict).toContainText('checksums');
  await expect(check.files.nth(1).getByRole('button').first()).toBeFocused();
});

test('a button that hides itself leaves the focus in its part of the page', async ({
  page,
  check,
  tiny,
}) => {
  await check.choose({ name: 'a.weights', buffer: tiny });
  const button = check.report.getByRole('button', { name: 'Check all values' });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(check.verdict).toContainText('all values');
  await expect(button).toBeHidden();
  await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true);
  expect(await focused(page)).toBe('a.weights');
});
