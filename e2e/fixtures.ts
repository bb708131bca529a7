// The fixtures of all specs: the built site, served by `ambry demo`, an opened page, and a faulty server. A test fails on
// any unexpected error or warning of the browser.

import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { test as base, expect, type Page } from '@playwright/test';
import { type FaultyServer, startFaultyServer } from './support/faulty-server.ts';
import { tinyWeights } from './support/tiny-weights.ts';

const command = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

/** What Playwright says on every page where it blocks service workers. */
const blocked = 'Service Worker registration blocked by Playwright';

/** Errors and warnings of the browser. A test declares those that it causes. */
export class BrowserErrors {
  readonly #expected: RegExp[] = [];
  readonly #messages: string[] = [];

  expect(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  listen(page: Page): void {
    page.on('pageerror', (error) => this.#messages.push(`uncaught: ${error.message}`));
    page.on('console', (message) => {
      const isBad = message.type() === 'error' || message.type() === 'warning';
      if (isBad && message.text() !== blocked) {
        this.#messages.push(`console ${message.type()}: ${message.text()}`);
      }
    });
  }

  unexpected(): string[] {
    return this.#messages.filter((text) => !this.#expected.some((pattern) => pattern.test(text)));
  }
}

interface TestFixtures {
  readonly browserErrors: BrowserErrors;
}

interface WorkerFixtures {
  /** The address of the built site. It ends with a slash. */
  readonly site: string;
  /** The address of the site with the headers of cross-origin isolated pages. */
  readonly isolatedSite: string;
  /** A tiny model as a `.weights` file. */
  readonly tiny: Buffer;
  readonly faulty: FaultyServer;
}

function addressFrom(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const listen = (chunk: Buffer): void => {
      output += chunk.toString();
      const address = /http:\/\/(localhost|127\.0\.0\.1|\[::1\]):\d+\//.exec(output);
      if (address !== null) {
        resolve(address[0]);
      }
    };
    server.stdout?.on('data', listen);
    server.stderr?.on('data', listen);
    server.once('exit', (code) => reject(new Error(`ambry demo ended with ${code}: ${output}`)));
  });
}

async function withDemo(options: string[], use: (site: string) => Promise<void>): Promise<void> {
  const server = spawn(process.execPath, [command, 'demo', '--port', '0', ...options]);
  await use(await addressFrom(server));
  server.kill();
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the needed fixtures from this pattern.
    async ({}, use) => withDemo([], use),
    { scope: 'worker' },
  ],

  isolatedSite: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => withDemo(['--isolated'], use),
    { scope: 'worker' },
  ],

  tiny: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      await use(await tinyWeights());
    },
    { scope: 'worker' },
  ],

  faulty: [
    async ({ tiny }, use) => {
      const server = await startFaultyServer(tiny);
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],

  browserErrors: [
    async ({ page }, use) => {
      const browserErrors = new BrowserErrors();
      browserErrors.listen(page);
      await use(browserErrors);
      expect(browserErrors.unexpected(), 'errors and warnings of the browser').toEqual([]);
    },
    { auto: true },
  ],
});

/** A page object whose page can be opened. */
interface PageObject {
  open(): Promise<void>;
}

/** Tests with an opened page, which is the fixture of this name. Where a test needs several, `mergeTests` joins them. */
export function pageTest<Name extends string, Opened extends PageObject>(
  name: Name,
  Opened: new (page: Page, site: string) => Opened,
) {
  const fixtures = {
    [name]: async (
      { page, site }: { readonly page: Page; readonly site: string },
      use: (opened: Opened) => Promise<void>,
    ) => {
      const opened = new Opened(page, site);
      await opened.open();
      await use(opened);
    },
  };
  return test.extend<Record<Name, Opened>>(
    fixtures as unknown as Parameters<typeof test.extend<Record<Name, Opened>>>[0],
  );
}

export { expect };
