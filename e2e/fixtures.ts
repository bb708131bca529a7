// The fixtures of all specs: the built site, served by `ambry demo`, an opened page, and a faulty server. A test fails on
// any unexpected error or warning of the browser.

import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { test as base, expect, type Page } from '@playwright/test';
import { ChatPage } from './pages/chat-page.ts';
import { CheckPage } from './pages/check-page.ts';
import { ClassifyPage } from './pages/classify-page.ts';
import { ConvertPage } from './pages/convert-page.ts';
import { HomePage } from './pages/home-page.ts';
import { PlaygroundPage } from './pages/playground-page.ts';
import { SearchPage } from './pages/search-page.ts';
import { WordsPage } from './pages/words-page.ts';
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
  /** The landing page. */
  readonly home: HomePage;
  /** The search page with its built-in model and notes. */
  readonly search: SearchPage;
  /** The check page. */
  readonly check: CheckPage;
  /** The convert page. */
  readonly converter: ConvertPage;
  /** The words page with its built-in vectors. */
  readonly words: WordsPage;
  /** The classify page with its built-in network. */
  readonly classify: ClassifyPage;
  /** The chat page with its built-in model and first story. */
  readonly chat: ChatPage;
  /** The playground with its first example. */
  readonly playground: PlaygroundPage;
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

  home: async ({ page, site }, use) => {
    const home = new HomePage(page, site);
    await home.open();
    await use(home);
  },

  search: async ({ page, site }, use) => {
    const search = new SearchPage(page, site);
    await search.open();
    await use(search);
  },

  check: async ({ page, site }, use) => {
    const check = new CheckPage(page, site);
    await check.open();
    await use(check);
  },

  converter: async ({ page, site }, use) => {
    const converter = new ConvertPage(page, site);
    await converter.open();
    await use(converter);
  },

  words: async ({ page, site }, use) => {
    const words = new WordsPage(page, site);
    await words.open();
    await use(words);
  },

  classify: async ({ page, site }, use) => {
    const classify = new ClassifyPage(page, site);
    await classify.open();
    await use(classify);
  },

  chat: async ({ page, site }, use) => {
    const chat = new ChatPage(page, site);
    await chat.open();
    await use(chat);
  },

  playground: async ({ page, site }, use) => {
    const playground = new PlaygroundPage(page, site);
    await playground.open();
    await use(playground);
  },
});

export { expect };
