// Pages of the site without a connection.

import { visits } from '../every-page/page-visits.ts';
import { expect } from '../fixtures.ts';
import { ChatPage } from '../pages/chat-page.ts';
import { HomePage } from '../pages/home-page.ts';
import { SearchPage } from '../pages/search-page.ts';
import { expectAccessible } from '../support/accessible.ts';
import { showPrograms } from '../support/share.ts';
import { test } from './offline-test.ts';

for (const { name, work } of visits) {
  test(`${name} works after its server has ended`, async ({ page, deployed, tiny, footer }) => {
    await work(page, deployed.url, tiny);
    await footer.expectWorks();
    deployed.end();
    await work(page, deployed.url, tiny);
    await footer.expectWorks();
  });
}

test('what was used after the first visit began works in its tab without a reload', async ({
  page,
  deployed,
  footer,
  context,
}) => {
  const search = new SearchPage(page, deployed.url);
  await search.open();
  await footer.expectWorks();
  const use = async (name: string, text: string) => {
    await search.indexDocuments({ name, buffer: Buffer.from(text) });
    await search.query.fill(text);
    await expect(search.results.first()).toContainText(text);
  };
  // Adding a document loads code that the page has not needed so far.
  await use('notes.md', 'The tide turns twice a day.');
  await showPrograms(page);
  await expect(page.locator('.share pre')).toContainText('The tide turns twice a day.');
  const scripts = ['documents-worker', 'snippets'];
  for (const script of scripts) {
    await expect
      .poll(async () => (await footer.kept()).some((path) => path.includes(script)), {
        timeout: 30_000,
      })
      .toBe(true);
  }
  await footer.expectWorks();
  deployed.end();
  await context.setOffline(true);
  await use('more.md', 'A lamp burns in the tower.');
  await search.open();
  await use('last.md', 'The fog horn sounds at night.');
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
});

test('only what was used of a page is kept', async ({ page, deployed, footer, tiny }) => {
  await page.goto(deployed.url);
  await footer.expectWorks();
  const programs = async () =>
    (await footer.kept()).filter((path) => /\.wasm$|(?<!\/ask)-worker-|\/models\//.test(path));
  expect(await programs()).toEqual([]);
  const bytes = await page.evaluate(async () => (await navigator.storage.estimate()).usage ?? 0);
  expect(bytes).toBeLessThan(400e3);
  const home = new HomePage(page, deployed.url);
  await home.choose({ name: 'tiny.weights', buffer: tiny });
  await expect(home.found).toContainText('tiny.weights');
  await expect
    .poll(async () => (await programs()).map((path) => path.replace(/.*\/|-[\w-]{8}\.\w+$/g, '')), {
      timeout: 30_000,
    })
    .toEqual(expect.arrayContaining(['ambry-inspect-baseline', 'inspect-worker']));
  expect(await programs()).not.toContainEqual(expect.stringMatching(/convert|generator|models/));
});

test('one build of a program is kept', async ({ page, deployed, footer }) => {
  const chat = new ChatPage(page, deployed.url);
  await chat.open();
  await expect(chat.tokens.nth(10)).toBeVisible();
  await footer.expectWorks();
  const programs = (await footer.kept()).filter((path) => path.endsWith('.wasm'));
  expect(programs).toEqual([expect.stringContaining('ambry-generator-relaxed-')]);
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

test('what the page says about it is accessible', async ({ page, deployed, footer }) => {
  await page.goto(`${deployed.url}check/`);
  await footer.expectWorks();
  await expectAccessible(page, 'the page works offline');
  deployed.deploy(/^visible-texts-/);
  await footer.lookForUpdate();
  await expect(footer.reload).toBeVisible({ timeout: 30_000 });
  await expectAccessible(page, 'a new version is here');
  await footer.delete.click();
  await expect(footer.keep).toBeVisible();
  await expectAccessible(page, 'the page may be kept');
});

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
  for (const question of questions) {
    served.push(await ask(question));
  }
  await footer.expectWorks();
  deployed.end();
  const kept = [];
  for (const question of questions) {
    kept.push(await ask(question));
  }
  expect(served.map(({ status }) => status)).toEqual([206, 206, 206, 206, 200, 416, 200]);
  expect(kept.map(({ status }) => status)).toEqual(served.map(({ status }) => status));
  // A server may say why it refuses a range.
  const parts = ({ status }: { status: number }) => status < 300;
  expect(kept.filter(parts)).toEqual(served.filter(parts));
  expect(kept[5]?.headers[0]).toBe(served[5]?.headers[0]);
  expect(await ask({ range: 'bytes=0-0', 'if-none-match': etag })).toMatchObject({ status: 304 });
});
