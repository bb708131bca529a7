// axe in every state of the words page.
import { expect } from '../fixtures.ts';
import { FailureMessage } from '../pages/failure.ts';
import { unfold } from '../pages/unfold.ts';
import { test, WordsPage } from '../pages/words-page.ts';
import { expectAccessible } from '../support/accessible.ts';
import { HeldRequests } from '../support/held-requests.ts';
import { showPrograms } from '../support/share.ts';

test('while its vectors come, and with a word and an analogy', async ({ page, site }) => {
  const held = await HeldRequests.on(page, /\/models\//);
  const words = new WordsPage(page, site);
  await words.goto('');
  await expect(words.progress).toBeVisible();
  await expectAccessible(page, 'the vectors are loading');
  await held.release();
  await expect(words.answers.first()).toBeVisible();
  await expectAccessible(page, 'a word and an analogy');
});

test('the map as text, facts of the file, and programs', async ({ page, words }) => {
  await words.file.getByText('About this file').click();
  await unfold(words.file, 'Open an address');
  await unfold(words.file, 'Which files it opens');
  await words.lookup.getByText('The map as text').click();
  await showPrograms(page, '#lookup-share');
  await expect(page.locator('#lookup-share pre').first()).toBeVisible();
  await expectAccessible(page, 'folds are open');
});

test('a word of pieces, a misspelled word, and a word without a vector', async ({
  page,
  words,
}) => {
  await words.lookUp('moonlike');
  await expect(words.ngrams.first()).toBeVisible();
  await expectAccessible(page, 'a word of pieces');
  await words.lookUp('vioiln');
  await expect(words.spellings.first()).toBeVisible();
  await expectAccessible(page, 'did you mean');
  await page.getByRole('button', { name: '400 word vectors as text' }).click();
  await expect(words.file).toContainText('400 words', { timeout: 30_000 });
  await words.lookUp('moonlike');
  await expect(words.answer).toContainText('has no vector');
  await expectAccessible(page, 'a word without a vector');
});

test('the map of all words, while it is made, and with its groups', async ({ page, words }) => {
  const held = await HeldRequests.on(page, /vectors-[^/]*\.wasm$/);
  await page.getByText('Map of all words', { exact: true }).click();
  await expect(page.getByRole('progressbar', { name: 'Making the map' })).toBeVisible();
  await expectAccessible(page, 'the map is being made');
  await held.release();
  await expect(words.vocabularyLine).toContainText('used alike', { timeout: 120_000 });
  await page.getByText(/^Groups of the map/).click();
  await words.vocabulary.frame.focus();
  await page.keyboard.press('ArrowRight');
  await expect(words.vocabulary.card).toBeVisible();
  await expectAccessible(page, 'a word of the map');
});

test('the accuracy', async ({ page, words }) => {
  await words.accuracy.getByRole('button', { name: 'Use the built-in questions' }).click();
  await expect(words.sections.last()).toContainText('Total');
  await expectAccessible(page, 'a table of sections');
});

test('a failure with its details', async ({ page, words }) => {
  await words.choose({ name: 'bad.fifu', buffer: Buffer.from('FiFu and nonsense') });
  const failure = new FailureMessage(page);
  await failure.details.getByText('Details').click();
  await expectAccessible(page, 'vectors were refused');
});
