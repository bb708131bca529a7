// The page object of the search page. It finds elements by role, label and text.

import { expect, type Locator } from '@playwright/test';
import { pageTest } from '../fixtures.ts';
import { chooseFiles, download, type GivenFile } from './files.ts';
import { PointMap } from './point-map.ts';
import { SitePage } from './site-page.ts';
import { openMenu, unfold } from './unfold.ts';

export class SearchPage extends SitePage {
  protected readonly path = 'search/index.html';
  readonly query = this.page.getByRole('searchbox', { name: 'Your question' });
  readonly results = this.page.locator('#results > li');
  readonly marks = this.results.locator('.result-text mark');
  /** The buttons of the sources, which are in a fold. */
  readonly sources = this.page.locator('#source-chips');
  readonly model = this.page.getByRole('region', { name: 'Model', exact: true });
  readonly documents = this.page.getByRole('region', { name: 'Documents', exact: true });
  readonly index = this.page.getByRole('region', { name: 'Index', exact: true });
  /** The panel of the model that answers questions. */
  readonly reader = this.page.getByRole('region', { name: 'Model for answers', exact: true });
  readonly mayHaveNone = this.reader.getByLabel('It may find no answer');
  readonly answerBox = this.page.getByRole('region', { name: 'Answer', exact: true });
  /** The best answer itself. */
  readonly answer = this.answerBox.getByRole('status').locator('.answer-span');
  readonly saved = this.page.getByRole('region', {
    name: 'Saved for your next visit',
    exact: true,
  });
  readonly map = new PointMap(this.page, 'Map of all passages');
  /** The line below the map. */
  readonly mapLine = this.page.locator('.map-line');
  /** The passage that was chosen on the map. */
  readonly mapPassage = this.page.locator('.map-passage');

  /** Opens the page and waits until it is ready to search. */
  async open(parameters = ''): Promise<void> {
    await this.goto(parameters);
    await this.expectReady();
  }

  async expectReady(): Promise<void> {
    await expect(this.status).toContainText(/^(Ready:|Best \d+ of )/, { timeout: 30_000 });
  }

  async reload(): Promise<void> {
    await this.page.reload();
  }

  async ask(question: string): Promise<void> {
    await this.query.fill(question);
    await expect(this.status).toContainText(/^Best \d+ of /);
  }

  /** The radio button of a ranking, which is in a fold. */
  mode(name: 'Meaning' | 'Meaning and words'): Locator {
    return this.page.locator(name === 'Meaning' ? '#mode-meaning' : '#mode-words');
  }

  async rankBy(name: 'Meaning' | 'Meaning and words'): Promise<void> {
    await openMenu(this.page, 'Ranking');
    await this.mode(name).check();
  }

  /** The button of a source. Its name is followed by a count. */
  source(name: string): Locator {
    return this.sources.locator('button').filter({ hasText: new RegExp(`^${name} \\d+$`) });
  }

  async openSources(): Promise<void> {
    await openMenu(this.page, 'Sources');
  }

  async pickSource(name: string): Promise<void> {
    await this.openSources();
    await this.source(name).click();
  }

  fact(panel: Locator, term: string): Locator {
    return panel.locator(`dt:text-is("${term}") + dd`);
  }

  async addDocuments(...files: readonly GivenFile[]): Promise<void> {
    await chooseFiles(this.documents.getByLabel('Add files…'), files, 'text/plain');
  }

  /** Adds documents and waits until they are indexed. */
  async indexDocuments(...files: readonly GivenFile[]): Promise<void> {
    await this.addDocuments(...files);
    await expect(this.status).toContainText(/^Added /);
  }

  async chooseModel(...files: readonly GivenFile[]): Promise<void> {
    await unfold(this.model, 'Open another model');
    await chooseFiles(this.model.getByLabel('Choose files…'), files);
  }

  async chooseModelFolder(path: string): Promise<void> {
    await unfold(this.model, 'Open another model');
    await this.model.getByLabel('Choose a folder…').setInputFiles(path);
  }

  async loadModelFrom(url: string): Promise<void> {
    await unfold(this.model, 'Open another model');
    await this.model.getByLabel('Address of a model').fill(url);
    await this.model.getByRole('button', { name: 'Load' }).click();
  }

  /** Adds a text and waits until it is indexed. */
  async paste(text: string): Promise<void> {
    await unfold(this.documents, 'Paste text');
    await this.documents.getByLabel('Text to search').fill(text);
    await this.documents.getByRole('button', { name: 'Add text' }).click();
    await expect(this.status).toContainText(/^Added /);
  }

  async closeMap(): Promise<void> {
    await this.page.getByText('Map of all passages', { exact: true }).click();
    await expect(this.map.frame).toBeHidden();
  }

  /** Opens the map of all passages and waits until it is made. */
  async openMap(): Promise<void> {
    await this.page.getByText('Map of all passages', { exact: true }).click();
    await expect(this.mapLine).toContainText('similar meaning', { timeout: 30_000 });
  }

  async importIndex(name: string, buffer: Buffer): Promise<void> {
    const file = { name, mimeType: 'application/octet-stream', buffer };
    await this.index.getByLabel('Import…').setInputFiles(file);
  }

  exportIndex(): Promise<Buffer> {
    return download(this.page, () => this.index.getByRole('button', { name: 'Export' }).click());
  }

  saveModel(): Promise<Buffer> {
    return download(this.page, () =>
      this.model.getByRole('button', { name: 'Save as .weights' }).click(),
    );
  }
}

/** The page is open, with its built-in model and notes. */
export const test = pageTest('search', SearchPage);
