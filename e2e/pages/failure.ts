// The message about something that failed, which all pages show alike.

import type { Locator, Page } from '@playwright/test';

export class FailureMessage {
  readonly box: Locator;
  /** The first line: what the matter is. */
  readonly title: Locator;
  readonly details: Locator;

  constructor(page: Page) {
    this.box = page.getByRole('alert');
    this.title = this.box.getByRole('heading');
    this.details = this.box.locator('details');
  }

  button(name: string): Locator {
    return this.box.getByRole('button', { name });
  }
}
