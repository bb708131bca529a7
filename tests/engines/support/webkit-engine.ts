// WebKitGTK's MiniBrowser over WebDriver, on a display in memory.

import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';

import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import {
  Builder,
  By,
  Capabilities,
  error,
  Key,
  type WebDriver,
  type WebElement,
} from 'selenium-webdriver';
import {
  type Engine,
  type EnginePage,
  endWithin,
  type PressedKey,
  type RunningEngine,
  type Spot,
} from './engine-page.ts';
import { startGroup } from './process-group.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from './temporary-folder.ts';

/** For the driver and the browser to start, and for one call, which may be a whole job. */
const limitMs = 100_000;

const passingFailures = [
  error.StaleElementReferenceError,
  error.ElementClickInterceptedError,
  error.ElementNotInteractableError,
];

class WebDriverPage implements EnginePage {
  readonly #driver: WebDriver;

  constructor(driver: WebDriver) {
    this.#driver = driver;
  }

  goto(url: string): Promise<void> {
    return this.#driver.get(url);
  }

  async evaluate<T>(expression: string): Promise<T> {
    const script = `const done = arguments[0];
      Promise.resolve().then(() => (${expression})).then(
        (value) => done({ value }), (error) => done({ error: String(error) }));`;
    const answer = await this.#driver.executeAsyncScript<{ value: T; error?: string }>(script);
    if (answer.error !== undefined) {
      throw new Error(answer.error);
    }
    return answer.value;
  }

  setFiles(selector: string, paths: readonly string[]): Promise<void> {
    return this.#act(selector, (element) => element.sendKeys(paths.join('\n')));
  }

  click(selector: string): Promise<void> {
    return this.#act(selector, (element) => element.click());
  }

  type(selector: string, text: string): Promise<void> {
    return this.#act(selector, (element) => element.sendKeys(text));
  }

  press(selector: string, key: PressedKey): Promise<void> {
    const code = key === 'Enter' ? Key.ENTER : Key.ARROW_RIGHT;
    return this.#act(selector, (element) => element.sendKeys(code));
  }

  /** Tries again while the page draws the element anew or moves it. */
  async #act(selector: string, act: (element: WebElement) => Promise<void>): Promise<void> {
    const end = performance.now() + limitMs;
    for (;;) {
      try {
        await act(await this.#driver.findElement(By.css(selector)));
        return;
      } catch (failure) {
        const passes = passingFailures.some((one) => failure instanceof one);
        if (!passes || performance.now() > end) {
          throw failure;
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }

  async stroke(selector: string, spots: readonly Spot[]): Promise<void> {
    const element = await this.#driver.findElement(By.css(selector));
    const { width, height } = await element.getRect();
    const actions = this.#driver.actions();
    for (const [i, [x, y]] of spots.entries()) {
      // Offsets are from the middle of the element.
      const offset = { x: Math.round((x - 0.5) * width), y: Math.round((y - 0.5) * height) };
      actions.move({ ...offset, origin: element, duration: 50 });
      if (i === 0) {
        actions.press();
      }
    }
    await actions.release().perform();
  }
}

/** The path of the browser. */
function miniBrowser(): string {
  const libraries = readdirSync('/usr/lib').filter((name) => name.endsWith('-linux-gnu'));
  const paths = libraries.flatMap((library) =>
    ['webkitgtk-6.0', 'webkit2gtk-4.1', 'webkit2gtk-4.0'].map(
      (version) => `/usr/lib/${library}/${version}/MiniBrowser`,
    ),
  );
  const path = process.env['WEBKIT_MINIBROWSER'] ?? paths.find((one) => existsSync(one));
  if (path === undefined) {
    throw new Error(
      'No MiniBrowser of WebKitGTK found: apt-get install webkit2gtk-driver, or set WEBKIT_MINIBROWSER to its path.',
    );
  }
  return path;
}

/** A port that was free a moment ago. The driver cannot choose one by itself. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function within<T>(work: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${what} took more than ${limitMs / 1000} s.`)),
      limitMs,
    );
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

/** Xvfb chooses a free display and writes its number. */
async function displayOf(child: ChildProcess): Promise<string> {
  const number = await new Promise<string>((resolve) => {
    child.stdio[3]?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
  });
  return `:${number}`;
}

/** Waits until the driver answers. */
async function answers(origin: string): Promise<void> {
  const end = performance.now() + limitMs;
  while (performance.now() < end) {
    const status = await fetch(`${origin}/status`).catch(() => undefined);
    if (status?.ok) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`WebKitWebDriver did not answer for ${limitMs / 1000} s.`);
}

/** Starts a display, and the driver on it. Both end with `ends`. */
async function startDriver(home: string, ends: (() => void)[]): Promise<string> {
  const screen = ['-screen', '0', '1600x1200x24', '-nolisten', 'tcp', '-displayfd', '3'];
  const xvfb = startGroup('Xvfb', screen, process.env);
  ends.push(xvfb.end);
  const display = Promise.race([displayOf(xvfb.child), xvfb.failure]);
  const port = await freePort();
  const driver = startGroup('WebKitWebDriver', [`--port=${port}`], {
    ...process.env,
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_DATA_HOME: join(home, '.local'),
    DISPLAY: await within(display, 'The start of Xvfb'),
    GDK_BACKEND: 'x11',
    NO_AT_BRIDGE: '1',
  });
  ends.push(driver.end);
  const origin = `http://127.0.0.1:${port}`;
  await Promise.race([answers(origin), driver.failure]);
  return origin;
}

async function startBrowser(origin: string): Promise<WebDriver> {
  const capabilities = new Capabilities({
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary: miniBrowser(), args: ['--automation'] },
  });
  const building = new Builder().usingServer(origin).withCapabilities(capabilities).build();
  const driver = await within(Promise.resolve(building), 'The start of MiniBrowser');
  await driver.manage().setTimeouts({ script: limitMs, pageLoad: limitMs });
  await driver.manage().window().setRect({ x: 0, y: 0, width: 1280, height: 1000 });
  return driver;
}

export const webkit: Engine = {
  name: 'WebKitGTK',
  flavour: 'baseline',
  async start(privacy = 'usual'): Promise<RunningEngine> {
    // A browser that is driven always keeps its data in memory, and has no private file system.
    if (privacy !== 'usual') {
      throw new Error(`The tests do not start WebKitGTK as ${privacy}.`);
    }
    const home = await makeTemporaryFolder();
    const downloads = join(home, 'downloads');
    const ends: (() => void)[] = [];
    let driver: WebDriver | undefined;
    const close = async (): Promise<void> => {
      if (driver !== undefined) {
        await endWithin(driver.quit());
      }
      for (const end of ends.reverse()) {
        end();
      }
      await removeTemporaryFolder(home);
    };
    try {
      await mkdir(downloads);
      await mkdir(join(home, '.config'));
      await writeFile(join(home, '.config/user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${downloads}"\n`);
      driver = await startBrowser(await startDriver(home, ends));
      const version = String((await driver.getCapabilities()).get('browserVersion'));
      return { page: new WebDriverPage(driver), version, downloads, close };
    } catch (error) {
      await close();
      throw error;
    }
  },
};
