// The page object of the check page. It finds elements by role, label and text.

import { expect, type Locator, type Page } from '@playwright/test';
import { pageTest } from '../fixtures.ts';
import { chooseFiles, download, dropFiles, type GivenFile } from './files.ts';

export class CheckPage {
  readonly page: Page;
  readonly report: Locator;
  readonly verdict: Locator;
  /** The mark of the verdict, such as a tick. */
  readonly mark: Locator;
  readonly problems: Locator;
  readonly run: Locator;
  readonly architecture: Locator;
  readonly chosenPart: Locator;
  readonly map: Locator;
  readonly table: Locator;
  readonly tokenizer: Locator;
  readonly files: Locator;
  readonly alert: Locator;
  readonly status: Locator;
  readonly #site: string;

  constructor(page: Page, site: string) {
    this.page = page;
    this.#site = site;
    this.report = page.getByRole('article');
    this.verdict = this.report.locator('.verdict-line');
    this.mark = this.report.locator('.verdict-mark');
    this.problems = this.report.getByRole('listitem').filter({ has: page.locator('.severity') });
    this.run = page.getByRole('region', { name: 'Running it' });
    this.architecture = page.getByRole('region', { name: 'Architecture' });
    this.chosenPart = this.architecture.getByRole('region', { name: 'The chosen part' });
    this.map = page.getByRole('region', { name: 'Map of the file' });
    this.table = page.getByRole('table', { name: 'Tensors' });
    this.tokenizer = page.getByRole('region', { name: 'Tokenizer' });
    this.files = page.getByRole('region', { name: 'Files' }).getByRole('listitem');
    this.alert = page.getByRole('alert');
    this.status = page.locator('#status');
  }

  /** Goes to the page with the parameters of a link. */
  async goto(parameters: string): Promise<void> {
    await this.page.goto(`${this.#site}check/index.html${parameters}`);
  }

  async open(): Promise<void> {
    await this.goto('');
    await expect(this.page.getByRole('heading', { level: 1 })).toHaveText('Check a model file');
  }

  choose(...files: readonly GivenFile[]): Promise<void> {
    return chooseFiles(this.page.getByLabel('Choose files…'), files);
  }

  /** Chooses a file on the disk. It may be larger than the memory. */
  async choosePath(path: string): Promise<void> {
    await this.page.getByLabel('Choose files…').setInputFiles(path);
  }

  drop(...files: readonly GivenFile[]): Promise<void> {
    return dropFiles(this.page, files);
  }

  async openUrl(url: string): Promise<void> {
    await this.page.getByLabel('Or open an address').fill(url);
    await this.page.getByRole('button', { name: 'Check', exact: true }).click();
  }

  /** A part of the drawing, by the beginning of its name. */
  part(name: string): Locator {
    return this.architecture.getByRole('treeitem', { name: new RegExp(`^${name}`) });
  }

  /** The names in the order of the table. */
  tensorNames(): Promise<string[]> {
    return this.table.locator('tbody td.name button').allTextContents();
  }

  save(button: string): Promise<Buffer> {
    return download(this.page, () => this.report.getByRole('button', { name: button }).click());
  }
}

/** The page is open. */
export const test = pageTest('check', CheckPage);
