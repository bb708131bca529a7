// The map of all words, and the spellings that the words page proposes.

import { expect } from '../fixtures.ts';
import { test } from '../pages/words-page.ts';

const waiting = { timeout: 60_000 };

test('the map shows all words, and a looked-up word lights up on it', async ({ words }) => {
  await words.openVocabulary();
  await expect(words.vocabularyLine).toContainText(/[\d,]{5,} words/);
  await expect.poll(() => words.vocabulary.inkedPixels(), waiting).toBeGreaterThan(20_000);
  await expect.poll(() => words.vocabulary.pixelsOf('--map-hit'), waiting).toBeGreaterThan(200);
  await expect.poll(() => words.vocabulary.pixelsOf('--map-query'), waiting).toBeGreaterThan(50);
});

test('a word on the map is looked up', async ({ page, words }) => {
  await words.openVocabulary();
  await words.lookUp('violin');
  await words.vocabulary.frame.focus();
  // The first step goes to the word that was looked up.
  await page.keyboard.press('ArrowRight');
  await expect(words.vocabulary.card).toContainText('violin');
  await page.keyboard.press('ArrowRight');
  await expect(words.vocabulary.card).not.toHaveText('violin');
  const next = (await words.vocabulary.card.textContent()) ?? '';
  await page.keyboard.press('Enter');
  await expect(words.word).toHaveValue(next);
});

test('a misspelled word has proposals, and a click looks one up', async ({ words }) => {
  await words.lookUp('vioiln');
  await expect(words.spellings.first()).toHaveText('violin');
  await words.spellings.first().click();
  await expect(words.answer).toContainText('“violin” is in the list');
  await expect(words.spellings).toHaveCount(0);
});

test('a word unlike all others has no proposals', async ({ words }) => {
  await words.lookUp('zzxxqqww');
  await expect(words.spellings).toHaveCount(0);
});
