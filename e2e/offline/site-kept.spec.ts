// What is kept of the site: new builds, deletion, metered connections, and browsers that keep nothing.
import { visits } from '../every-page/page-visits.ts';
import { expect } from '../fixtures.ts';
import { CheckPage } from '../pages/check-page.ts';
import { OfflineLine } from '../pages/offline-line.ts';
import { SearchPage } from '../pages/search-page.ts';
import { WordsPage } from '../pages/words-page.ts';
import { showPrograms } from '../support/share.ts';
import { limitStorage } from '../support/storage.ts';
import { test } from './offline-test.ts';

test.describe('a new build', () => {
  test('waits until the user agrees, and breaks no open tab', async ({
    page,
    deployed,
    footer,
    context,
  }) => {
    const words = new WordsPage(page, deployed.url);
    await words.open();
    await footer.expectWorks();
    const other = new OfflineLine(await context.newPage());
    await other.page.goto(`${deployed.url}words/`);
    // The script that makes programs of results is loaded when they are asked for.
    await showPrograms(page);
    const isOfPrograms = (path: string) => /\/share-words-/.test(path);
    const ofPrograms = async () => (await footer.kept()).find(isOfPrograms);
    await expect.poll(ofPrograms, { timeout: 30_000 }).toBeDefined();
    const oldScript = (await ofPrograms()) ?? '';
    deployed.deploy(/^share-words-/);
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
    deployed.deploy(/^visible-texts-/);
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
  await expect(footer.line).toContainText(/\d kB are kept in this browser/);
  await footer.delete.click();
  await expect(footer.keep).toBeVisible();
  expect(await footer.kept()).toEqual([]);
  await page.reload();
  await expect(footer.keep).toBeVisible();
  expect(await footer.kept()).toEqual([]);
  await footer.keep.click();
  await footer.expectWorks();
});

test('a sample that was tried works after the server has ended', async ({
  page,
  deployed,
  footer,
}) => {
  const check = new CheckPage(page, deployed.url);
  await check.open();
  await footer.expectWorks();
  await page.getByRole('button', { name: 'A language model (GGUF)' }).click();
  await expect(check.verdict).toContainText('Valid GGUF');
  await expect
    .poll(async () => (await footer.kept()).some((url) => url.includes('/samples/')))
    .toBe(true);
  expect((await footer.kept()).filter((url) => url.includes('/samples/'))).toHaveLength(1);
  deployed.end();
  await page.reload();
  await page.getByRole('button', { name: 'A language model (GGUF)' }).click();
  await expect(check.verdict).toContainText('Valid GGUF');
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
  tiny,
  browserErrors,
}) => {
  browserErrors.expect(/404/);
  const check = new CheckPage(page, deployed.url);
  await check.open();
  await footer.expectWorks();
  await check.choose({ name: 'tiny.weights', buffer: tiny });
  await expect(check.verdict).toContainText('Valid EMBD');
  const isProgram = (path: string) => /\/ambry-inspect-.*wasm$/.test(path);
  await expect.poll(async () => (await footer.kept()).some(isProgram)).toBe(true);
  // A visitor's browser may lose a part of what it keeps.
  await page.evaluate(async () => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      const keys = await cache.keys();
      await Promise.all(
        keys.filter(({ url }) => url.includes('inspect')).map((key) => cache.delete(key)),
      );
    }
  });
  for (const path of deployed.files().filter((file) => isProgram(`/${file}`))) {
    deployed.remove(path);
  }
  await footer.endWorker();
  const asked = deployed.asked.length;
  await page.reload();
  await expect
    .poll(() => deployed.asked.slice(asked).some(isProgram), { timeout: 30_000 })
    .toBe(true);
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

test('the search page shows the size of the kept site beside its own data', async ({
  page,
  deployed,
  footer,
}) => {
  const search = new SearchPage(page, deployed.url);
  await search.open();
  await search.indexDocuments({ name: 'notes.txt', buffer: Buffer.from('The tide turns twice.') });
  await footer.expectWorks();
  const [size = ''] = /[\d.,]+ .B/.exec((await footer.line.textContent()) ?? '') ?? [];
  expect(size).not.toBe('');
  await expect(search.saved.locator('dt:text-is("The site, to work offline") + dd')).toHaveText(
    size,
  );
  await footer.delete.click();
  await expect(footer.keep).toBeVisible();
  await expect(search.saved).not.toContainText('to work offline');
});

test.describe('all pages', () => {
  test('are kept when the visitor asks for it, and say so', async ({
    page,
    deployed,
    footer,
    tiny,
  }) => {
    await page.goto(deployed.url);
    await footer.expectWorks();
    await expect(footer.line).toContainText('Works offline with what you used.');
    await expect(footer.line).toContainText(/[\d.]+ kB are kept/);
    // Without a file that waits, a fast machine is ready before the test has looked.
    const held = deployed.hold(/ambry-convert-.*wasm$/);
    await footer.keepAll.click();
    await expect(footer.line).toContainText(/[\d.]+ [kM]B of [\d.]+ MB/);
    await expect(footer.stop).toBeVisible();
    held.release();
    await expect(footer.line).toContainText('Works offline, with all pages.', { timeout: 60_000 });
    await expect(footer.keepAll).toBeHidden();
    deployed.end();
    for (const { work } of visits) {
      await work(page, deployed.url, tiny);
    }
  });

  test('stop coming when the visitor says so, and go on later', async ({
    page,
    deployed,
    footer,
  }) => {
    await page.goto(deployed.url);
    await footer.expectWorks();
    const held = deployed.hold(/ambry-convert-.*wasm$/);
    await footer.keepAll.click();
    await expect.poll(() => held.count()).toBeGreaterThan(0);
    await footer.stop.click();
    await footer.expectWorks();
    await expect(footer.line).toContainText('with what you used');
    expect(await footer.kept()).not.toContainEqual(expect.stringMatching(/ambry-convert-/));
    held.release();
    await footer.keepAll.click();
    await expect(footer.line).toContainText('Works offline, with all pages.', { timeout: 60_000 });
  });

  test('say when the browser has no room for them', async ({ page, deployed, footer }) => {
    await page.goto(deployed.url);
    await footer.expectWorks();
    await limitStorage(page, new URL(deployed.url).origin, 3e6);
    await footer.keepAll.click();
    await expect(footer.line).toContainText('The browser has no room for all pages.', {
      timeout: 30_000,
    });
    // What was used works on.
    await footer.expectWorks();
    await limitStorage(page, new URL(deployed.url).origin, 1e9);
    await footer.keepAll.click();
    await expect(footer.line).toContainText('Works offline, with all pages.', { timeout: 60_000 });
    await expect(footer.line).not.toContainText('no room');
  });

  test('say when some did not come', async ({ page, deployed, footer, browserErrors }) => {
    browserErrors.expect(/404/);
    await page.goto(deployed.url);
    await footer.expectWorks();
    deployed.remove('models/stories.amb');
    await footer.keepAll.click();
    await expect(footer.line).toContainText('Not all pages came.', { timeout: 60_000 });
    await footer.expectWorks();
  });
});
