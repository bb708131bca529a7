// The page object of the words page. It finds elements by role, label and text.

import { expect, type Locator, type Page } from '@playwright/test';
import { pageTest } from '../fixtures.ts';
import { chooseFiles, dropFiles, type GivenFile } from './files.ts';
import { PointMap } from './point-map.ts';
import { unfold } from './unfold.ts';

export class WordsPage {
  readonly page: Page;
  readonly file: Locator;
  readonly word: Locator;
  readonly lookup: Locator;
  /** The text about the word that was looked up. */
  readonly answer: Locator;
  readonly neighbours: Locator;
  readonly map: Locator;
  /** The map of all words, and the line below it. */
  readonly vocabulary: PointMap;
  readonly vocabularyLine: Locator;
  /** Words that are spelled like the one that is not in the file. */
  readonly spellings: Locator;
  readonly ngrams: Locator;
  readonly analogy: Locator;
  readonly answers: Locator;
  readonly accuracy: Locator;
  readonly sections: Locator;
  readonly alert: Locator;
  readonly progress: Locator;
  readonly status: Locator;
  readonly #site: string;

  constructor(page: Page, site: string) {
    this.page = page;
    this.#site = site;
    this.file = page.getByRole('region', { name: 'Word vectors', exact: true });
    this.word = page.getByRole('combobox', { name: 'Word', exact: true });
    this.lookup = page.getByRole('region', { name: 'Look up a word' });
    this.answer = this.lookup.getByRole('status');
    this.neighbours = this.lookup
      .getByRole('list', { name: 'Nearest words' })
      .getByRole('listitem');
    this.map = page.getByRole('group', { name: 'Map of the nearest words' });
    this.vocabulary = new PointMap(page, 'Map of all words');
    this.vocabularyLine = page.locator('.map-line');
    this.spellings = page.getByRole('group', { name: 'Did you mean' }).getByRole('button');
    this.ngrams = page.getByRole('region', { name: 'Pieces of the word' }).getByRole('listitem');
    this.analogy = page.getByRole('region', { name: 'Solve an analogy' });
    this.answers = this.analogy
      .getByRole('list', { name: 'Words nearest to the sum' })
      .getByRole('listitem');
    this.accuracy = page.getByRole('region', { name: 'Measure the accuracy' });
    this.sections = this.accuracy.getByRole('row');
    this.alert = page.getByRole('alert');
    this.progress = page.getByRole('region', { name: 'Work in progress' });
    this.status = page.locator('#status');
  }

  /** Goes to the page with the parameters of a link. */
  async goto(parameters: string): Promise<void> {
    await this.page.goto(`${this.#site}words/index.html${parameters}`);
  }

  /** Opens the page and waits for the results of the built-in vectors. */
  async open(): Promise<void> {
    await this.goto('');
    await expect(this.file).toContainText('built in', { timeout: 30_000 });
    await expect(this.answers.first()).toBeVisible();
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

  choose(...files: readonly GivenFile[]): Promise<void> {
    return chooseFiles(this.page.getByLabel('Choose a file…'), files);
  }

  drop(...files: readonly GivenFile[]): Promise<void> {
    return dropFiles(this.page, files);
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
