// The line in the footer of every page about work without a connection, and the news of a new version.

import { expect, type Locator, type Page } from '@playwright/test';

export class OfflineLine {
  readonly page: Page;
  readonly line: Locator;
  readonly works: Locator;
  readonly keep: Locator;
  readonly keepAll: Locator;
  readonly stop: Locator;
  readonly delete: Locator;
  readonly reload: Locator;

  constructor(page: Page) {
    this.page = page;
    this.line = page.locator('#offline');
    this.works = page.getByText(/^Works offline( with what you used|, with all pages)\./);
    this.keep = page.getByRole('button', { name: /^Keep this page for offline use \(/ });
    this.keepAll = page.getByRole('button', { name: /^Keep all pages \(/ });
    this.stop = this.line.getByRole('button', { name: 'Stop' });
    this.delete = this.line.getByRole('button', { name: 'Delete' });
    this.reload = page.getByRole('button', { name: 'Reload' });
  }

  async expectWorks(): Promise<void> {
    await expect(this.works).toBeVisible({ timeout: 60_000 });
  }

  /** Looks for a new version now. Browsers do it when a page is opened. */
  async lookForUpdate(): Promise<void> {
    await this.page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      await registration?.update();
    });
  }

  /** Ends the service worker, as browsers do after a while. The next event starts it again. */
  async endWorker(): Promise<void> {
    const session = await this.page.context().newCDPSession(this.page);
    await session.send('ServiceWorker.enable');
    await session.send('ServiceWorker.stopAllWorkers');
    await session.detach();
  }

  /** The paths of the files that are kept. */
  kept(): Promise<string[]> {
    return this.page.evaluate(async () => {
      const paths: string[] = [];
      for (const name of await caches.keys()) {
        const requests = await (await caches.open(name)).keys();
        paths.push(...requests.map(({ url }) => new URL(url).pathname));
      }
      return paths;
    });
  }
}
