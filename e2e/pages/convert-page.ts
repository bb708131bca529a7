// The page object of the convert page. It finds elements by role, label and text.

import { expect, type Locator, type Page } from '@playwright/test';
import { pageTest } from '../fixtures.ts';
import { chooseFiles, download, dropFiles, type GivenFile } from './files.ts';

export class ConvertPage {
  readonly page: Page;
  /** The format of the source. */
  readonly source: Locator;
  readonly outcome: Locator;
  readonly verdict: Locator;
  readonly agreement: Locator;
  readonly losses: Locator;
  readonly table: Locator;
  readonly alert: Locator;
  readonly status: Locator;
  readonly pictures: Locator;
  readonly plan: Locator;
  readonly calibration: Locator;
  readonly architecture: Locator;
  readonly convertButton: Locator;
  readonly #site: string;

  constructor(page: Page, site: string) {
    this.page = page;
    this.#site = site;
    this.source = page.locator('#source-line');
    this.outcome = page.getByRole('article');
    this.verdict = this.outcome.locator('.verdict-line');
    this.agreement = this.outcome.locator('#agreement');
    this.losses = this.outcome.getByRole('listitem');
    this.table = page.getByRole('table', { name: 'Errors of the values' });
    this.alert = page.getByRole('alert');
    this.status = page.locator('#status');
    this.pictures = page.getByLabel('Calibration pictures');
    this.plan = page.getByLabel('Plan, if');
    this.calibration = page.getByLabel('Calibration text');
    this.architecture = page.getByLabel('Architecture');
    this.convertButton = page.getByRole('button', { name: 'Convert', exact: true });
  }

  /** Goes to the page with the parameters of a link. */
  async goto(parameters: string): Promise<void> {
    await this.page.goto(`${this.#site}convert/index.html${parameters}`);
  }

  async open(): Promise<void> {
    await this.goto('');
    await expect(this.page.getByRole('heading', { level: 1 })).toHaveText('Convert a model');
  }

  choose(...files: readonly GivenFile[]): Promise<void> {
    return chooseFiles(this.page.getByLabel('Choose files…'), files);
  }

  drop(...files: readonly GivenFile[]): Promise<void> {
    return dropFiles(this.page, files);
  }

  /** The choice of a target. A disabled one also has its reason in its name. */
  target(name: string): Locator {
    return this.page.getByRole('radio', { name: RegExp(`^${name}\\b`) });
  }

  async readAs(kind: string): Promise<void> {
    await this.page.getByLabel('Source format').selectOption(kind);
  }

  async storeAs(type: string): Promise<void> {
    await this.page.getByLabel('Number type').selectOption(type);
  }

  async convertTo(name: string): Promise<void> {
    await this.target(name).check();
    await this.convert();
  }

  async convert(): Promise<void> {
    await this.convertButton.click();
  }

  /** Saves the converted file after the check. */
  async save(): Promise<Buffer> {
    await expect(this.verdict).toContainText('Checked');
    return download(this.page, () =>
      this.outcome.getByRole('button', { name: 'Save', exact: true }).click(),
    );
  }
}

/** The page is open. */
export const test = pageTest('converter', ConvertPage);
