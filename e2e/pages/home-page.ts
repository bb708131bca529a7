// The page object of the landing page. It finds elements by role, label and text.

import type { Locator } from '@playwright/test';
import { pageTest } from '../fixtures.ts';
import { SitePage } from './site-page.ts';

export class HomePage extends SitePage {
  protected readonly path = '';
  readonly found = this.page.getByRole('region', { name: 'What you gave' }).getByRole('listitem');
  readonly samples = this.page.getByRole('group', { name: 'Or try one of these' });

  async open(parameters = ''): Promise<void> {
    await this.goto(parameters);
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
