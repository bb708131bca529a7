// The page object of the playground.

import { expect, type Locator, type Page } from '@playwright/test';
import { pageTest } from '../fixtures.ts';

export class PlaygroundPage {
  readonly page: Page;
  readonly code: Locator;
  readonly output: Locator;
  readonly status: Locator;
  readonly alert: Locator;
  readonly stop: Locator;
  readonly #site: string;

  constructor(page: Page, site: string) {
    this.page = page;
    this.#site = site;
    this.code = page.getByLabel('Code', { exact: true });
    this.output = page.getByRole('region', { name: 'Output' });
    this.status = page.locator('#status');
    this.alert = page.getByRole('alert');
    this.stop = page.getByRole('button', { name: 'Stop' });
  }

  /** Goes to the page with the parameters of a link. */
  async goto(parameters: string): Promise<void> {
    await this.page.goto(`${this.#site}playground/${parameters}`);
  }

  async open(): Promise<void> {
    await this.goto('');
    await expect(this.code).not.toHaveValue('');
  }

  get examples(): Locator {
    return this.page.getByRole('group', { name: 'Examples' }).getByRole('button');
  }

  run(): Promise<void> {
    return this.page.getByRole('button', { name: 'Run' }).click();
  }

  async runCode(code: string): Promise<void> {
    await this.code.fill(code);
    await this.run();
  }

  async expectDone(): Promise<void> {
    await expect(this.status).toHaveText('Done', { timeout: 45_000 });
    await expect(this.alert).toBeEmpty();
  }
}

/** The page is open, with its first example. */
export const test = pageTest('playground', PlaygroundPage);
