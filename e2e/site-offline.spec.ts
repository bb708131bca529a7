// Pages of the site without a connection.
import { mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { PNG } from 'pngjs';
import { test as base, expect } from './fixtures.ts';
import { ChatPage } from './pages/chat-page.ts';
import { CheckPage } from './pages/check-page.ts';
import { ClassifyPage } from './pages/classify-page.ts';
import { ConvertPage } from './pages/convert-page.ts';
import { HomePage } from './pages/home-page.ts';
import { OfflineLine } from './pages/offline-line.ts';
import { PlaygroundPage } from './pages/playground-page.ts';
import { SearchPage } from './pages/search-page.ts';
import { WordsPage } from './pages/words-page.ts';
import { type DeployedSite, deploySite } from './support/deployed-site.ts';

interface Visit {
  readonly name: string;
  /** Opens the page and does its main work. */
  work(page: Page, site: string, tiny: Buffer): Promise<void>;
}

/** A sparse file. Its header says that all the rest is one tensor. */
async function writeLargeSafetensors(path: string, bytes: number): Promise<void> {
  const tensor = { dtype: 'F32', shape: [bytes / 4], data_offsets: [0, bytes] };
  const header = Buffer.from(JSON.stringify({ large: tensor }));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(header.length));
  const file = await open(path, 'w');
  await file.write(Buffer.concat([size, header]));
  await file.truncate(8 + header.length + bytes);
  await file.close();
}

const visits: readonly Visit[] = [
  {
    name: 'the landing page',
    async work(page, site, tiny) {
      const home = new HomePage(page, site);
      await home.open();
      await home.choose({ name: 'tiny.weights', buffer: tiny });
      await expect(home.found).toContainText('tiny.weights');
    },
  },
  {
    name: 'search',
    async work(page, site) {
      const search = new SearchPage(page, site);
      await search.open();
      await search.query.fill('nausea on a boat');
      await expect(search.results.first()).toContainText('Seasickness eases');
    },
  },
  {
    name: 'words',
    async work(page, site) {
      const words = new WordsPage(page, site);
      await words.open();
      await words.lookUp('violin');
      expect(await words.nearest()).toContain('piano');
    },
  },
  {
    name: 'classify',
    async work(page, site) {
      await new ClassifyPage(page, site).open();
    },
  },
  {
    name: 'chat',
    async work(page, site) {
      const chat = new ChatPage(page, site);
      await chat.open();
      await expect(chat.tokens.nth(10)).toBeVisible();
    },
  },
  {
    name: 'check',
    async work(page, site, tiny) {
      const check = new CheckPage(page, site);
      await check.open();
      await check.choose({ name: 'tiny.weights', buffer: tiny });
      await expect(check.verdict).toContainText('Valid EMBD F0 1.0');
    },
  },
  {
    name: 'convert',
    async work(page, site, tiny) {
      const converter = new ConvertPage(page, site);
      await converter.open();
      await converter.choose({ name: 'tiny.weights', buffer: tiny });
      await converter.convertTo('safetensors');
      await expect(converter.verdict).toContainText('safetensors');
    },
  },
  {
    name: 'playground',
    async work(page, site) {
      const playground = new PlaygroundPage(page, site);
      await playground.open();
      await playground.run();
      await playground.expectDone();
    },
  },
];

const test = base.extend<{ deployed: DeployedSite; footer: OfflineLine }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the needed fixtures from this pattern.
  deployed: async ({}, use) => {
    const deployed = await deploySite();
    await use(deployed);
    deployed.close();
  },
  footer: async ({ page }, use) => use(new OfflineLine(page)),
});

test.use({ serviceWorkers: 'allow' });

test.beforeEach(({ browserErrors }) => {
  // The service worker asks whether the site is still there.
  browserErrors.expect(/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED/);
});

for (const { name, work } of visits) {
  test(`${name} works after its server has ended`, async ({ page, deployed, tiny, footer }) => {
    await work(page, deployed.url, tiny);
    await footer.expectWorks();
    deployed.end();
    await page.reload();
    await work(page, deployed.url, tiny);
    await footer.expectWorks();
  });
}

test('the tab of the first visit works on without a reload', async ({
  page,
  deployed,
  footer,
  context,
}) => {
  const search = new SearchPage(page, deployed.url);
  await search.open();
  await footer.expectWorks();
  deployed.end();
  await context.setOffline(true);
  // Adding a document and asking for words load code that the page has not needed so far.
  await search.indexDocuments({
    name: 'notes.md',
    buffer: Buffer.from('The tide turns twice a day.'),
  });
  await search.query.fill('when does the tide turn');
  await expect(search.results.first()).toContainText('The tide turns twice a day.');
});

test('an isolated page stays isolated', async ({ page, isolatedSite, footer, context }) => {
  const chat = new ChatPage(page, isolatedSite);
  await chat.open();
  await footer.expectWorks();
  await context.setOffline(true);
  await chat.open();
  await expect(chat.tokens.nth(10)).toBeVisible();
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
});

test('a page that was not opened says so, and names the pages that work', async ({
  page,
  deployed,
  footer,
  browserErrors,
}) => {
  await page.goto(`${deployed.url}check/`);
  await footer.expectWorks();
  deployed.end();
  browserErrors.expect(/503/);
  await page.goto(`${deployed.url}words/`);
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible();
  await page.getByRole('link', { name: 'check' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check a model file');
});

test('nothing is kept of pages that were not opened', async ({ page, deployed, footer }) => {
  await page.goto(`${deployed.url}check/`);
  await footer.expectWorks();
  const kept = await footer.kept();
  expect(kept).toContain('/check/index.html');
  expect(kept.filter((path) => /^\/(words|chat|search)\//.test(path))).toEqual([]);
  expect(kept).not.toContain('/models/stories.amb');
  const wasm = kept.filter((path) => path.includes('ambry-run-'));
  expect(wasm).toEqual([expect.stringContaining('ambry-run-relaxed-')]);
});

test('pages of the documentation that were opened work, too', async ({
  page,
  deployed,
  footer,
  browserErrors,
}) => {
  const html = (text: string) =>
    `<!doctype html><title>Docs</title><script type="module" src="/docs/assets/app.Ab12Cd34.js"></script><h1>${text}</h1>`;
  deployed.write('docs/guide.html', html('Guide'));
  deployed.write('docs/other.html', html('Other'));
  deployed.write('docs/assets/app.Ab12Cd34.js', "document.title = 'With its script';");
  await page.goto(`${deployed.url}check/`);
  await footer.expectWorks();
  await page.goto(`${deployed.url}docs/guide.html`);
  await expect(page).toHaveTitle('With its script');
  deployed.write('docs/guide.html', html('New guide'));
  await page.goto(`${deployed.url}docs/guide.html?again`);
  await expect(page.getByRole('heading')).toHaveText('New guide');
  await expect.poll(() => footer.kept()).toContain('/docs/guide.html');
  deployed.end();
  browserErrors.expect(/503/);
  await page.goto(`${deployed.url}docs/guide.html#part`);
  await expect(page.getByRole('heading')).toHaveText('New guide');
  await expect(page).toHaveTitle('With its script');
  await page.goto(`${deployed.url}docs/other.html`);
  await expect(page.getByRole('heading')).toHaveText('No connection');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`what the page says about it is accessible in ${colorScheme} mode`, async ({
    page,
    deployed,
    footer,
  }) => {
    await page.emulateMedia({ colorScheme });
    const check = async () => {
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations).toEqual([]);
    };
    await page.goto(`${deployed.url}check/`);
    await footer.expectWorks();
    await check();
    deployed.deploy(/^read-entry-/);
    await footer.lookForUpdate();
    await expect(footer.reload).toBeVisible({ timeout: 30_000 });
    await check();
    await footer.delete.click();
    await expect(footer.keep).toBeVisible();
    await check();
  });
}

test('ranges of a kept model are answered as by the server', async ({
  page,
  deployed,
  footer,
  browserErrors,
}) => {
  browserErrors.expect(/416/);
  const file = 'models/stories.amb';
  const ask = (headers: Record<string, string>) =>
    page.evaluate(
      async ([path, own]) => {
        const response = await fetch(path, { headers: own, cache: 'no-store' });
        const bytes = new Uint8Array(await response.arrayBuffer());
        const told = ['content-range', 'content-length', 'etag', 'last-modified', 'content-type'];
        return {
          status: response.status,
          headers: told.map((name) => response.headers.get(name)),
          bytes: [bytes.length, ...bytes.slice(0, 20), ...bytes.slice(-20)],
        };
      },
      [`../${file}`, headers] as const,
    );
  await page.goto(`${deployed.url}chat/`);
  const { headers } = await ask({ range: 'bytes=0-0' });
  const [, , etag = '', changedAt = ''] = headers.map((value) => value ?? '');
  const questions: readonly Record<string, string>[] = [
    { range: 'bytes=0-65535' },
    { range: 'bytes=386000-' },
    { range: 'bytes=-100' },
    { range: 'bytes=5-9', 'if-range': changedAt },
    { range: 'bytes=5-9', 'if-range': '"other"' },
    { range: 'bytes=386880-' },
    {},
  ];
  const served = [];
  for (const question of questions) served.push(await ask(question));
  await footer.expectWorks();
  deployed.end();
  const kept = [];
  for (const question of questions) kept.push(await ask(question));
  expect(served.map(({ status }) => status)).toEqual([206, 206, 206, 206, 200, 416, 200]);
  expect(kept.map(({ status }) => status)).toEqual(served.map(({ status }) => status));
  // A server may say why it refuses a range.
  const parts = ({ status }: { status: number }) => status < 300;
  expect(kept.filter(parts)).toEqual(served.filter(parts));
  expect(kept[5]?.headers[0]).toBe(served[5]?.headers[0]);
  expect(await ask({ range: 'bytes=0-0', 'if-none-match': etag })).toMatchObject({ status: 304 });
});

test.describe('a new build', () => {
  test('waits until the user agrees, and breaks no open tab', async ({
    page,
    deployed,
    footer,
    context,
  }) => {
    await page.goto(`${deployed.url}words/`);
    await footer.expectWorks();
    const other = new OfflineLine(await context.newPage());
    await other.page.goto(`${deployed.url}words/`);
    // It is loaded with the first drop.
    const [oldScript = ''] = (await footer.kept()).filter((path) => /\/read-entry-/.test(path));
    deployed.deploy(/^read-entry-/);
    expect(deployed.files().some((path) => oldScript.endsWith(path))).toBe(false);

    await footer.lookForUpdate();
    await expect(page.getByText('A new version of this page is here.')).toBeVisible({
      timeout: 30_000,
    });
    const imports = (line: OfflineLine) =>
      line.page.evaluate(async (url) => Object.keys(await import(url)).length, oldScript);
    expect(await imports(footer)).toBeGreaterThan(0);
    await page.reload();
    await expect(page).toHaveTitle(/^Ambry/);

    await footer.reload.click();
    await expect(page).toHaveTitle(/^New Ambry/);
    await expect(other.page.getByText('A new version was started in another tab.')).toBeVisible();
    expect(await imports(other)).toBeGreaterThan(0);
    await footer.expectWorks();
    expect(await footer.kept()).toContain(oldScript);

    await other.page.close();
    await page.reload();
    await footer.expectWorks();
    expect(await footer.kept()).not.toContain(oldScript);
    deployed.end();
    await page.reload();
    await expect(page).toHaveTitle(/^New Ambry/);
    await new WordsPage(page, deployed.url).open();
  });

  test('is taken at the next visit', async ({ page, deployed, footer, context }) => {
    await page.goto(`${deployed.url}check/`);
    await footer.expectWorks();
    deployed.deploy(/^read-entry-/);
    await footer.lookForUpdate();
    await expect(footer.reload).toBeVisible({ timeout: 30_000 });
    const next = await context.newPage();
    await page.close();
    // The browser takes a moment to notice that the tab was closed.
    const visit = async () => {
      await next.goto('about:blank');
      await next.waitForTimeout(500);
      await next.goto(`${deployed.url}check/`);
      await expect(next).toHaveTitle(/^New Ambry/, { timeout: 1000 });
    };
    await expect(visit).toPass({ timeout: 45_000 });
  });
});

test('what is kept can be deleted, and is not kept again until the user asks', async ({
  page,
  deployed,
  footer,
}) => {
  await page.goto(`${deployed.url}check/`);
  await footer.expectWorks();
  await expect(footer.line).toContainText(/\d MB are kept in this browser/);
  await footer.delete.click();
  await expect(footer.keep).toBeVisible();
  expect(await footer.kept()).toEqual([]);
  await page.reload();
  await expect(footer.keep).toBeVisible();
  expect(await footer.kept()).toEqual([]);
  await footer.keep.click();
  await footer.expectWorks();
});

test('a metered connection is not used without a question', async ({ page, deployed, footer }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
  });
  await page.goto(`${deployed.url}check/`);
  await expect(footer.keep).toBeVisible({ timeout: 30_000 });
  expect(await footer.kept()).toEqual([]);
  await footer.keep.click();
  await footer.expectWorks();
});

test('a page that is not all there does not say that it works', async ({
  page,
  deployed,
  footer,
  browserErrors,
}) => {
  browserErrors.expect(/404/);
  const [pdf = ''] = deployed.files().filter((path) => /ambry-convert-.*wasm$/.test(path));
  deployed.remove(pdf);
  await page.goto(`${deployed.url}check/`);
  await expect.poll(() => deployed.asked.includes(`/${pdf}`), { timeout: 30_000 }).toBe(true);
  await expect(footer.line).toBeHidden();
  await expect(footer.works).toBeHidden();
});

test('the service worker ends when its site is gone', async ({ page, deployed, footer }) => {
  await page.goto(`${deployed.url}check/`);
  await footer.expectWorks();
  deployed.remove('sw.js');
  await page.reload();
  const registered = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
  await expect.poll(registered, { timeout: 30_000 }).toBe(0);
  expect(await footer.kept()).toEqual([]);
});

test('a file of five gigabytes is handed over without a copy', async ({
  page,
  deployed,
  footer,
}, testInfo) => {
  const path = testInfo.outputPath('large.safetensors');
  await mkdir(dirname(path), { recursive: true });
  await writeLargeSafetensors(path, 5_000_000_000);
  const home = new HomePage(page, deployed.url);
  await home.open();
  await footer.expectWorks();
  const used = () => page.evaluate(async () => (await navigator.storage.estimate()).usage ?? 0);
  const before = await used();
  await home.choosePath(path);
  await home.openWith('Check it');
  const check = new CheckPage(page, deployed.url);
  await expect(check.verdict).toContainText('No error so far in safetensors', { timeout: 30_000 });
  await expect(check.report).toContainText('large.safetensors');
  expect((await used()) - before).toBeLessThan(50e6);
  await rm(path);
});

test('files that the system opens with the installed site arrive at the landing page', async ({
  page,
  deployed,
  tiny,
}) => {
  await page.addInitScript(
    (bytes) => {
      const file = new File([new Uint8Array(bytes)], 'opened.weights');
      const launch = { files: [{ getFile: async () => file }] };
      const setConsumer = (consume: (given: typeof launch) => void) => consume(launch);
      Object.defineProperty(globalThis, 'launchQueue', { value: { setConsumer } });
    },
    [...tiny],
  );
  const home = new HomePage(page, deployed.url);
  await home.open();
  await expect(home.found).toContainText('opened.weights');
});

test('the site can be installed', async ({ page, deployed }) => {
  await page.goto(`${deployed.url}words/`);
  const href = await page.locator('link[rel="manifest"]').getAttribute('href');
  const address = new URL(href ?? '', page.url());
  const manifest = await (await page.request.get(address.href)).json();
  expect(manifest).toMatchObject({ name: 'Ambry', display: 'standalone' });
  expect(new URL(manifest.start_url, address).href).toBe(`${deployed.url}index.html`);
  const sizes = new Map<string, string>();
  for (const { src, type, sizes: size } of manifest.icons) {
    const response = await page.request.get(new URL(src, address).href);
    expect(response.headers()['content-type']).toContain(type);
    if (type === 'image/png') {
      const { width, height } = PNG.sync.read(await response.body());
      expect(`${width}x${height}`).toBe(size);
    }
    sizes.set(size, type);
  }
  expect([...sizes.keys()]).toEqual(expect.arrayContaining(['192x192', '512x512']));
  const session = await page.context().newCDPSession(page);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  expect(installabilityErrors).toEqual([]);
});

test.describe('without service workers', () => {
  test.use({ serviceWorkers: 'block' });

  test('the page is quiet', async ({ page, deployed, footer }) => {
    const words = new WordsPage(page, deployed.url);
    await words.open();
    await words.lookUp('violin');
    await expect(footer.line).toBeHidden();
    await expect(footer.reload).toBeHidden();
  });
});
