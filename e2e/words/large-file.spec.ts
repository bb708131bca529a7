// Word vectors at an address whose nearest words need many megabytes.
import { expect } from '../fixtures.ts';
import { test } from '../pages/words-page.ts';
import { codeBytes, serveLargeWords } from '../support/large-words.ts';

test('the page asks before it reads all vectors, shows how far it is, and can be stopped', async ({
  words,
  site,
}) => {
  let answer = (): void => undefined;
  let waiting = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const url = `${site}models/large-words.fifu`;
  const sent = await serveLargeWords(words.page, url, () => waiting);
  await words.openUrl(url);
  const read = words.lookup.getByRole('button', { name: 'Read 20 MB' });
  await expect(read).toBeVisible();
  await words.lookUp('w7');
  await expect(words.neighbours).toHaveCount(0);
  expect(sent()).toBeLessThan(codeBytes / 10);

  await read.click();
  await expect(words.progress).toContainText('Reading the vectors');
  await words.progress.getByRole('button', { name: 'Cancel' }).click();
  await expect(words.status).toContainText('Cancelled');
  await expect(read).toBeVisible();
  answer();

  waiting = Promise.resolve();
  await read.click();
  await expect(words.neighbours.first()).toBeVisible();
  await expect(read).toHaveCount(0);
  const nearest = await words.nearest();
  expect(nearest.slice(0, 4).sort()).toEqual(['w5', 'w6', 'w8', 'w9']);
  await expect(words.word).toBeFocused();
  expect(sent()).toBeGreaterThan(codeBytes);
});
