// What the page objects of all pages have.

import type { Page } from '@playwright/test';
import { chooseFiles, dropFiles, type GivenFile } from './files.ts';

export abstract class SitePage {
  /** The path of the page below the site. */
  protected abstract readonly path: string;
  readonly page: Page;
  readonly #site: string;

  constructor(page: Page, site: string) {
    this.page = page;
    this.#site = site;
  }

  get alert() {
    return this.page.getByRole('alert');
  }

  get status() {
    return this.page.locator('#status');
  }

  get progress() {
    return this.page.getByRole('region', { name: 'Work in progress' });
  }

  /** Goes to the page with the parameters of a link. */
  async goto(parameters: string): Promise<void> {
    await this.page.goto(`${this.#site}${this.path}${parameters}`);
  }

  choose(...files: readonly GivenFile[]): Promise<void> {
    return chooseFiles(this.page.getByLabel(/^Choose (a file|files)…$/), files);
  }

  /** Chooses a file on the disk. It may be larger than the memory. */
  choosePath(path: string): Promise<void> {
    return this.page.getByLabel('Choose files…').setInputFiles(path);
  }

  drop(...files: readonly GivenFile[]): Promise<void> {
    return dropFiles(this.page, files);
  }
}
