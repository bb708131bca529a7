// The page object of the convert page. It finds elements by role, label and text.

import { expect, type Locator } from '@playwright/test';
import { pageTest } from '../fixtures.ts';
import { download } from './files.ts';
import { SitePage } from './site-page.ts';

export class ConvertPage extends SitePage {
  protected readonly path = 'convert/index.html';
  /** The format of the source. */
  readonly source = this.page.locator('#source-line');
  readonly outcome = this.page.getByRole('article');
  readonly verdict = this.outcome.locator('.verdict-line');
  readonly agreement = this.outcome.locator('#agreement');
  readonly losses = this.outcome.getByRole('listitem');
  readonly table = this.page.getByRole('table', { name: 'Errors of the values' });
  readonly pictures = this.page.getByLabel('Calibration pictures');
  readonly plan = this.page.getByLabel('Plan, if');
  readonly calibration = this.page.getByLabel('Calibration text');
  readonly architecture = this.page.getByLabel('Architecture');
  readonly convertButton = this.page.getByRole('button', { name: 'Convert', exact: true });

  async open(): Promise<void> {
    await this.goto('');
    await expect(this.page.getByRole('heading', { level: 1 })).toHaveText('Convert a model');
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
