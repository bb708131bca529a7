// Chromium over its DevTools protocol, and Firefox over WebDriver BiDi.

import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import puppeteer, { type Browser, type LaunchOptions, type Page } from 'puppeteer-core';
import { chromiumPath } from '../../../e2e/support/chromium.ts';
import {
  type Engine,
  type EnginePage,
  endWithin,
  type PressedKey,
  type Privacy,
  type RunningEngine,
  type Spot,
} from './engine-page.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from './temporary-folder.ts';

/** A call of the protocol that takes longer fails, so that no test waits for a browser that is gone. */
const protocolTimeout = 100_000;

class PuppeteerPage implements EnginePage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async goto(url: string): Promise<void> {
    await this.#page.goto(url);
  }

  evaluate<T>(expression: string): Promise<T> {
    return this.#page.evaluate(expression) as Promise<T>;
  }

  async setFiles(selector: string, paths: readonly string[]): Promise<void> {
    const input = await this.#page.$(selector);
    if (input === null) {
      throw new Error(`The page has no ${selector}.`);
    }
    await input.evaluate((element) => element.scrollIntoView());
    await (input as unknown as { uploadFile(...files: string[]): Promise<void> }).uploadFile(
      ...paths,
    );
  }

  async click(selector: string): Promise<void> {
    await this.#page.locator(selector).click();
  }

  async type(selector: string, text: string): Promise<void> {
    await this.#page.type(selector, text);
  }

  async press(selector: string, key: PressedKey): Promise<void> {
    await this.#page.focus(selector);
    await this.#page.keyboard.press(key);
  }

  async stroke(selector: string, spots: readonly Spot[]): Promise<void> {
    const element = await this.#page.$(selector);
    await element?.scrollIntoView();
    const box = await element?.boundingBox();
    if (!box) {
      throw new Error(`${selector} is not visible.`);
    }
    const { mouse } = this.#page;
    for (const [i, [x, y]] of spots.entries()) {
      await mouse.move(box.x + x * box.width, box.y + y * box.height, { steps: 4 });
      if (i === 0) {
        await mouse.down();
      }
    }
    await mouse.up();
  }
}

/** Starts a browser with a home folder of its own, which goes with it. */
async function launch(options: (downloads: string) => LaunchOptions): Promise<RunningEngine> {
  const home = await makeTemporaryFolder();
  const downloads = join(home, 'downloads');
  await mkdir(downloads);
  let browser: Browser | undefined;
  const close = async (): Promise<void> => {
    if (browser !== undefined) {
      await endWithin(browser.close());
      browser.process()?.kill('SIGKILL');
    }
    await removeTemporaryFolder(home);
  };
  try {
    browser = await puppeteer.launch({
      headless: true,
      timeout: protocolTimeout,
      protocolTimeout,
      defaultViewport: { width: 1280, height: 900 },
      env: { ...process.env, HOME: home },
      ...options(downloads),
    });
    const page = await browser.newPage();
    return {
      page: new PuppeteerPage(page),
      version: (await browser.version()).replace(/^[^/]*\//, ''),
      downloads,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

export const chromium: Engine = {
  name: 'Chromium',
  flavour: 'relaxed',
  start(privacy: Privacy = 'usual'): Promise<RunningEngine> {
    if (privacy !== 'usual') {
      throw new Error(`The tests do not start Chromium as ${privacy}.`);
    }
    return launch((downloadPath) => ({
      browser: 'chrome',
      executablePath: chromiumPath(),
      headless: 'shell',
      args: ['--no-sandbox', '--disable-background-networking', '--no-first-run'],
      downloadBehavior: { policy: 'allow', downloadPath },
    }));
  },
};

const firefoxPath = process.env['FIREFOX'] ?? '/usr/bin/firefox-esr';

/** What the settings of Firefox offer its users for pages that keep data. */
const privacyPreferences: Readonly<Record<Privacy, Readonly<Record<string, unknown>>>> = {
  usual: {},
  private: { 'browser.privatebrowsing.autostart': true },
  // “Block all cookies” also blocks every other way to keep data.
  blocked: { 'network.cookie.cookieBehavior': 2 },
};

export const firefox: Engine = {
  name: 'Firefox',
  flavour: 'relaxed',
  start(privacy: Privacy = 'usual'): Promise<RunningEngine> {
    if (!existsSync(firefoxPath)) {
      throw new Error(`No Firefox at ${firefoxPath}: apt-get install firefox-esr, or set FIREFOX.`);
    }
    return launch((downloads) => ({
      browser: 'firefox',
      executablePath: firefoxPath,
      extraPrefsFirefox: {
        'browser.download.folderList': 2,
        'browser.download.dir': downloads,
        'browser.download.always_ask_before_handling_new_types': false,
        'browser.download.alwaysOpenPanel': false,
        ...privacyPreferences[privacy],
      },
    }));
  },
};
