// The page object of the playground.

import { expect, type Locator } from '@playwright/test';
import { pageTest } from '../fixtures.ts';
import { SitePage } from './site-page.ts';

export class PlaygroundPage extends SitePage {
  protected readonly path = 'playground/';
  readonly code = this.page.getByLabel('Code', { exact: true });
  readonly output = this.page.getByRole('region', { name: 'Output' });
  readonly stop = this.page.getByRole('button', { name: 'Stop' });

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
