// The page object of the landing page. It finds elements by role, label and text.

import type { Locator, Page } from '@playwright/test';
import { pageTest } from '../fixtures.ts';
import { chooseFiles, dropFiles, type GivenFile } from './files.ts';

export class HomePage {
  readonly page: Page;
  readonly found: Locator;
  readonly alert: Locator;
  readonly status: Locator;
  readonly samples: Locator;
  readonly #site: string;

  constructor(page: Page, site: string) {
    this.page = page;
    this.#site = site;
    this.found = page.getByRole('region', { name: 'What you gave' }).getByRole('listitem');
    this.alert = page.getByRole('alert');
    this.status = page.locator('#status');
    this.samples = page.getByRole('group', { name: 'Or try one of these' });
  }

  async open(parameters = ''): Promise<void> {
    await this.page.goto(`${this.#site}${parameters}`);
  }

  choose(...files: readonly GivenFile[]): Promise<void> {
    return chooseFiles(this.page.getByLabel('Choose files…'), files);
  }

  /** Chooses a file on the disk. It may be larger than the memory. */
  choosePath(path: string): Promise<void> {
    return this.page.getByLabel('Choose files…').setInputFiles(path);
  }

  drop(...files: readonly GivenFile[]): Promise<void> {
    return dropFiles(this.page, files);
  }

  trySample(name: string): Promise<void> {
    return this.samples.getByRole('button', { name, exact: true }).click();
  }

  async lookAt(address: string): Promise<void> {
    await this.page.getByLabel('Or the address of a model').fill(address);
    await this.page.getByRole('button', { name: 'Look', exact: true }).click();
  }

  /** Opens a page with what was found. */
  openWith(label: string): Promise<void> {
    return this.found.getByRole('button', { name: label, exact: true }).click();
  }

  /** The card of a page. */
  card(name: string): Locator {
    const heading = this.page.getByRole('heading', { name, exact: true });
    return this.page.getByRole('listitem').filter({ has: heading });
  }
}

/** The landing page is open. */
export const test = pageTest('home', HomePage);
