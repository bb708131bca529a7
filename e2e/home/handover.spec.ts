// Files that go from one page to another.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { rolldown } from 'rolldown';
import { expect, test } from '../fixtures.ts';

type HandOver = typeof import('../../web/demo/shared/handover/handover.ts');

const site = 'http://localhost:9/site/';
const html = `<!doctype html><title>Page</title><link rel="icon" href="../icon.svg" />`;
const script = `${site}handover.js`;
const icon = readFileSync(new URL('../../web/demo/public/icon.svg', import.meta.url));

async function bundled(): Promise<string> {
  const input = fileURLToPath(
    new URL('../../web/demo/shared/handover/handover.ts', import.meta.url),
  );
  const bundle = await rolldown({ input });
  const { output } = await bundle.generate({ format: 'es', codeSplitting: false });
  await bundle.close();
  return output[0].code;
}

test.beforeEach(async ({ page }) => {
  const code = await bundled();
  await page.route(`${site}**`, (route) => {
    const path = new URL(route.request().url()).pathname;
    if (path.endsWith('.svg')) {
      return route.fulfill({ contentType: 'image/svg+xml', body: icon });
    }
    const isScript = path.endsWith('.js');
    const contentType = isScript ? 'text/javascript' : 'text/html';
    return route.fulfill({ contentType, body: isScript ? code : html });
  });
  await page.goto(`${site}one/`);
});

interface Sent {
  readonly path: string;
  readonly text: string;
}

/** Hands files over to `two/index.html` and waits until that page is there. */
async function send(page: Page, sent: readonly Sent[]) {
  const arrived = page.waitForURL(/two\/index\.html/);
  await page.evaluate(
    async ([url, files]) => {
      const { handOver } = (await import(url)) as HandOver;
      const given = files.map(({ path, text }) => {
        return {
          path,
          file: new File([text], path.split('/').at(-1) ?? '', { type: 'text/plain' }),
        };
      });
      // The page may be gone before an answer could come back.
      void handOver({ files: given, skipped: ['notes/.git'] }, 'two/index.html?depth=all');
    },
    [script, sent] as const,
  );
  await arrived;
}

/** What `takeHandedOver` gives: the files, null, or the message of its error. */
const take = (page: Page) =>
  page.evaluate(async (url) => {
    const { takeHandedOver } = (await import(url)) as HandOver;
    try {
      const given = await takeHandedOver();
      const { files = [], skipped = [] } = given ?? {};
      const read = files.map(async ({ path, file }) => [path, file.name, await file.text()]);
      return given && { files: await Promise.all(read), skipped };
    } catch (error) {
      return (error as Error).message;
    }
  }, script);

const notes: readonly Sent[] = [
  { path: 'notes/may.md', text: 'rain' },
  { path: 'model.weights', text: 'weights' },
];
const missing = 'The files did not come along to this page. Choose them again here.';

test('another page takes the files with their folders, once', async ({ page }) => {
  await send(page, notes);
  expect(page.url()).toMatch(/two\/index\.html\?depth=all#handed=[0-9a-f]{32}$/);
  expect(await take(page)).toEqual({
    files: [
      ['notes/may.md', 'may.md', 'rain'],
      ['model.weights', 'model.weights', 'weights'],
    ],
    skipped: ['notes/.git'],
  });
  expect(page.url()).toBe(`${site}two/index.html?depth=all`);
  expect(await take(page)).toBeNull();
  await page.reload();
  expect(await take(page)).toBeNull();
});

test('a link to files that were taken says that they must be chosen again', async ({ page }) => {
  await send(page, notes);
  const link = page.url();
  await take(page);
  await page.goto('about:blank');
  await page.goto(link);
  expect(await take(page)).toBe(missing);
  expect(await take(page)).toBeNull();
});

test('the other page says so where the browser keeps nothing', async ({ page }) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('denied', 'SecurityError');
    };
  });
  await page.reload();
  await send(page, notes);
  expect(page.url()).toMatch(/#handed=none$/);
  expect(await take(page)).toBe(missing);
});

test('files that no page has taken are deleted later', async ({ page }) => {
  await page.clock.install({ time: new Date('2026-01-01T10:00:00') });
  await page.reload();
  await send(page, notes);
  const link = page.url();
  await page.goto(`${site}one/`);
  await page.clock.setSystemTime(new Date('2026-01-01T10:06:00'));
  await send(page, [{ path: 'other.md', text: 'other' }]);
  expect(await take(page)).toMatchObject({ files: [['other.md', 'other.md', 'other']] });
  await page.goto('about:blank');
  await page.goto(link);
  expect(await take(page)).toBe(missing);
});

test('the address of another site is refused', async ({ page }) => {
  const refused = page.evaluate(async (url) => {
    const { handOver } = (await import(url)) as HandOver;
    return handOver({ files: [], skipped: [] }, 'https://example.com/');
  }, script);
  await expect(refused).rejects.toThrow('is no page of this site');
  expect(page.url()).toBe(`${site}one/`);
});
