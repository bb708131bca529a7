// What every spec gets: the built site on a free port as `ambry demo` serves it, a search page that is
// ready, a server that misbehaves, and a guard that fails the test on anything the browser complains of.

import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { test as base, expect, type Page } from '@playwright/test';
import { ChatPage } from './pages/chat-page.ts';
import { CheckPage } from './pages/check-page.ts';
import { ClassifyPage } from './pages/classify-page.ts';
import { ConvertPage } from './pages/convert-page.ts';
import { SearchPage } from './pages/search-page.ts';
import { WordsPage } from './pages/words-page.ts';
import { type MeanServer, startMeanServer } from './support/mean-server.ts';
import { tinyWeights } from './support/tiny-weights.ts';

const kCommand = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

/** Complaints of the browser; a test that provokes one declares it. */
export class Complaints {
  readonly #expected: RegExp[] = [];
  readonly #heard: string[] = [];

  expect(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  listen(page: Page): void {
    page.on('pageerror', (error) => this.#heard.push(`uncaught: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') {
        this.#heard.push(`console ${message.type()}: ${message.text()}`);
      }
    });
  }

  unexpected(): string[] {
    return this.#heard.filter((text) => !this.#expected.some((pattern) => pattern.test(text)));
  }
}

interface TestFixtures {
  readonly complaints: Complaints;
  /** The search page, opened, its built-in model and notes ready. */
  readonly search: SearchPage;
  /** The check page, opened. */
  readonly check: CheckPage;
  /** The convert page, opened. */
  readonly converter: ConvertPage;
  /** The words page, its built-in vectors ready. */
  readonly words: WordsPage;
  /** The classify page, its built-in network ready. */
  readonly classify: ClassifyPage;
  /** The chat page, its built-in model ready, its first story written. */
  readonly chat: ChatPage;
}

interface WorkerFixtures {
  /** Address of the built site, with a slash at the end. */
  readonly site: string;
  readonly tiny: Buffer;
  readonly mean: MeanServer;
}

function addressFrom(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const hear = (chunk: Buffer): void => {
      output += chunk.toString();
      const address = /http:\/\/(localhost|127\.0\.0\.1|\[::1\]):\d+\//.exec(output);
      if (address !== null) {
        resolve(address[0]);
      }
    };
    server.stdout?.on('data', hear);
    server.stderr?.on('data', hear);
    server.once('exit', (code) => reject(new Error(`ambry demo ended with ${code}: ${output}`)));
  });
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
    async ({}, use) => {
      const server = spawn(process.execPath, [kCommand, 'demo', '--port', '0']);
      await use(await addressFrom(server));
      server.kill();
    },
    { scope: 'worker' },
  ],

  tiny: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      await use(await tinyWeights());
    },
    { scope: 'worker' },
  ],

  mean: [
    async ({ tiny }, use) => {
      const server = await startMeanServer(tiny);
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],

  complaints: [
    async ({ page }, use) => {
      const complaints = new Complaints();
      complaints.listen(page);
      await use(complaints);
      expect(complaints.unexpected(), 'the browser complained').toEqual([]);
    },
    { auto: true },
  ],

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
});

export { expect };
