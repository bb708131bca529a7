// The model cache in a real browser: private files, the Cache API, two tabs, a reload during a download, damage.
import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect } from '../fixtures.ts';
import { limitStorage, withoutPrivateFiles } from '../support/storage.ts';
import { test } from './package-site.ts';

interface Opened {
  readonly dim: number;
  readonly cached: boolean;
  readonly notes: readonly string[];
}

/** Opens the model with the cache. */
function open(page: Page, url: string, sha256?: string): Promise<Opened> {
  return page.evaluate(
    async ([address, hash]) => {
      const { open } = await import(new URL('/index.js', location.href).href);
      const notes = new Set<string>();
      let cached = false;
      const onProgress = (progress: { cached: boolean; note?: string }) => {
        cached = progress.cached;
        if (progress.note !== undefined) {
          notes.add(progress.note);
        }
      };
      const model = await open(address, { cache: true, sha256: hash, onProgress });
      const { dim } = model;
      await model.dispose();
      return { dim, cached, notes: [...notes] };
    },
    [url, sha256] as const,
  );
}

interface CachedFile {
  readonly url: string;
  readonly bytes: number;
  readonly complete: boolean;
}

const list = (page: Page): Promise<CachedFile[]> =>
  page.evaluate(async () => {
    const { cache } = await import(new URL('/index.js', location.href).href);
    return cache.list();
  });

test('a model is downloaded once, then listed, measured and deleted', async ({
  page,
  packageSite,
  tiny,
}) => {
  const { url, asked, sent } = packageSite.serve();
  expect(await open(page, url)).toEqual({ dim: 32, cached: false, notes: [] });
  await page.reload();
  expect(await open(page, url)).toEqual({ dim: 32, cached: true, notes: [] });
  expect(asked.map(({ status }) => status)).toEqual([200, 304]);
  expect(sent()).toBe(tiny.length);
  expect(await list(page)).toMatchObject([{ url, bytes: tiny.length, complete: true }]);
  const emptied = await page.evaluate(async (address) => {
    const { cache } = await import(new URL('/index.js', location.href).href);
    const size = await cache.size();
    const deleted = [await cache.delete(address), await cache.delete(address)];
    return { size, deleted, left: await cache.size() };
  }, url);
  expect(emptied).toEqual({ size: tiny.length, deleted: [true, false], left: 0 });
});

test('a download is continued after a reload', async ({ page, packageSite, tiny }) => {
  const half = tiny.length >> 1;
  const { url, asked, sent } = packageSite.serve({
    stallAfter: (n) => (n === 0 ? half : undefined),
  });
  const interrupted = open(page, url).catch(() => undefined);
  await expect.poll(async () => (await list(page))[0]?.bytes ?? 0).toBeGreaterThanOrEqual(half);
  await page.reload();
  await interrupted;
  const [part] = await list(page);
  expect(part).toMatchObject({ complete: false });
  expect(await open(page, url)).toMatchObject({ dim: 32 });
  expect(asked[1]).toMatchObject({
    range: expect.stringContaining(`bytes=${part?.bytes}-`),
    ifRange: '"one"',
  });
  expect(sent()).toBeLessThan(tiny.length + half);
  expect(await list(page)).toMatchObject([{ bytes: tiny.length, complete: true }]);
});

/** Changes the stored files of the only cached model. */
const damage = (page: Page, extension: string, how: 'alter' | 'cut' | 'odd') =>
  page.evaluate(
    async ([end, what]) => {
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle('ambry');
      for await (const [name, handle] of folder.entries()) {
        if (!name.endsWith(end)) {
          continue;
        }
        const stored = handle as FileSystemFileHandle;
        const { size } = await stored.getFile();
        const file = await stored.createWritable({ keepExistingData: true });
        if (what === 'alter') {
          await file.write({ type: 'write', position: 1000, data: 'rotten' });
        } else if (what === 'cut') {
          await file.truncate(size - 10);
        } else {
          await file.write('{"url":7,"version":[]}');
        }
        await file.close();
      }
    },
    [extension, how] as const,
  );

test('a stored model that was altered or cut is downloaded again', async ({
  page,
  packageSite,
  tiny,
}) => {
  const { url, asked } = packageSite.serve();
  const sha256 = createHash('sha256').update(tiny).digest('hex');
  const fresh = { dim: 32, cached: false, notes: [] };
  const kept = { ...fresh, cached: true };
  expect(await open(page, url, sha256)).toEqual(fresh);
  for (const [extension, how] of [
    ['.bin', 'alter'],
    ['.bin', 'cut'],
    ['.json', 'odd'],
  ] as const) {
    const before = asked.length;
    await damage(page, extension, how);
    expect(await open(page, url, sha256)).toEqual(fresh);
    expect(asked.length).toBe(before + 1);
    expect(await open(page, url, sha256)).toEqual(kept);
  }
});

test('a file that is gone at the server leaves no lock', async ({ page, packageSite }) => {
  const { url } = packageSite.serve();
  await open(page, url);
  packageSite.serve({ status: () => 404 });
  await expect(open(page, url)).rejects.toThrow(/404/);
  const held = await page.evaluate(async () => (await navigator.locks.query()).held);
  expect(held).toEqual([]);
  packageSite.serve({ etag: '"two"' });
  expect(await open(page, url)).toEqual({ dim: 32, cached: false, notes: [] });
});

test('two tabs open the same model at the same time', async ({
  context,
  page,
  packageSite,
  tiny,
}) => {
  const { url } = packageSite.serve({ bytesPerSecond: 400_000 });
  const other = await context.newPage();
  await other.goto(packageSite.origin);
  const opened = await Promise.all([open(page, url), open(other, url)]);
  expect(opened.map(({ dim }) => dim)).toEqual([32, 32]);
  expect(opened.flatMap(({ notes }) => notes).length).toBeLessThanOrEqual(1);
  expect(await list(page)).toMatchObject([{ bytes: tiny.length, complete: true }]);
  expect((await open(other, url)).cached).toBe(true);
});

test('the Cache API stores the model if there are no private files', async ({
  page,
  packageSite,
  tiny,
}) => {
  const workers = await withoutPrivateFiles(page, 'encoder-worker.js');
  const { url, sent } = packageSite.serve();
  expect(await open(page, url)).toMatchObject({ cached: false });
  await page.reload();
  expect(await open(page, url)).toMatchObject({ cached: true });
  expect(sent()).toBe(tiny.length);
  expect(await list(page)).toMatchObject([{ url, complete: true }]);
  expect(workers.length).toBeGreaterThan(0);
  expect(await page.evaluate(() => caches.keys())).not.toEqual([]);
});

test('a full storage is reported, and the model still opens', async ({ page, packageSite }) => {
  await limitStorage(page, packageSite.origin, 1);
  const { url } = packageSite.serve();
  const { dim, notes } = await open(page, url);
  expect(dim).toBe(32);
  expect(notes).toEqual([expect.stringMatching(/not kept/)]);
  expect(await list(page)).toEqual([]);
});

test('an abort stops the download at once', async ({ page, packageSite }) => {
  const { url, asked } = packageSite.serve({ stallAfter: () => 1000 });
  const name = await page.evaluate(async (address) => {
    const { open } = await import(new URL('/index.js', location.href).href);
    const signal = AbortSignal.timeout(300);
    return open(address, { signal }).catch((error: Error) => error.name);
  }, url);
  expect(name).toBe('TimeoutError');
  await expect.poll(() => asked.every(({ abandoned }) => abandoned)).toBe(true);
});
