// The page object of the words page. It finds elements by role, label and text.

import { expect } from '@playwright/test';
import { pageTest } from '../fixtures.ts';
import { chooseFiles, type GivenFile } from './files.ts';
import { PointMap } from './point-map.ts';
import { SitePage } from './site-page.ts';
import { unfold } from './unfold.ts';

export class WordsPage extends SitePage {
  protected readonly path = 'words/index.html';
  readonly file = this.page.getByRole('region', { name: 'Word vectors', exact: true });
  readonly word = this.page.getByRole('combobox', { name: 'Word', exact: true });
  readonly lookup = this.page.getByRole('region', { name: 'Look up a word' });
  /** The text about the word that was looked up. */
  readonly answer = this.lookup.locator('#lookup-line');
  readonly neighbours = this.lookup
    .getByRole('list', { name: 'Nearest words' })
    .getByRole('listitem');
  readonly map = this.page.getByRole('group', { name: 'Map of the nearest words' });
  /** The map of all words, and the line below it. */
  readonly vocabulary = new PointMap(this.page, 'Map of all words');
  readonly vocabularyLine = this.page.locator('.map-line');
  /** Words that are spelled like the one that is not in the file. */
  readonly spellings = this.page.getByRole('group', { name: 'Did you mean' }).getByRole('button');
  readonly ngrams = this.page
    .getByRole('region', { name: 'Pieces of the word' })
    .getByRole('listitem');
  readonly analogy = this.page.getByRole('region', { name: 'Solve an analogy' });
  readonly answers = this.analogy
    .getByRole('list', { name: 'Words nearest to the sum' })
    .getByRole('listitem');
  readonly accuracy = this.page.getByRole('region', { name: 'Measure the accuracy' });
  readonly sections = this.accuracy.getByRole('row');

  /** Opens the page and waits for the results of the built-in vectors. */
  async open(): Promise<void> {
    await this.goto('');
    await this.expectAllWords();
    await expect(this.answers.first()).toBeVisible();
  }

  /** Until then, answers are from the most frequent words. */
  async expectAllWords(): Promise<void> {
    await expect(this.file).toContainText('built in', { timeout: 30_000 });
    await expect(this.lookup).not.toContainText('so far');
    await expect(this.neighbours.first()).toBeVisible();
  }

  async lookUp(word: string): Promise<void> {
    await this.word.fill(word);
    await this.lookup.getByRole('button', { name: 'Look up' }).click();
    await expect(this.answer).toContainText(`“${word}”`);
  }

  /** Opens the map of all words and waits until it is made. */
  async openVocabulary(): Promise<void> {
    await this.page.getByText('Map of all words', { exact: true }).click();
    await expect(this.vocabularyLine).toContainText('used alike', { timeout: 120_000 });
  }

  /** The nearest words, best first. */
  nearest(): Promise<string[]> {
    return this.neighbours.getByRole('button').allTextContents();
  }

  /** The labels on the map. */
  labels(): Promise<string[]> {
    return this.map.locator('.map-word text').allTextContents();
  }

  async ask(a: string, b: string, c: string): Promise<void> {
    await this.analogy.getByLabel('First word').fill(a);
    await this.analogy.getByLabel('is to', { exact: true }).fill(b);
    await this.analogy.getByLabel('as', { exact: true }).fill(c);
    await this.analogy.getByRole('button', { name: 'Solve', exact: true }).click();
  }

  measure(...files: readonly GivenFile[]): Promise<void> {
    return chooseFiles(this.page.getByLabel('Choose questions…'), files, 'text/plain');
  }

  async openUrl(url: string): Promise<void> {
    await unfold(this.file, 'Open an address');
    await this.file.getByLabel('Address of word vectors').fill(url);
    await this.file.getByRole('button', { name: 'Open', exact: true }).click();
  }
}

/** The page is open, with its built-in vectors. */
export const test = pageTest('words', WordsPage);
