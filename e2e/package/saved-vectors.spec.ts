// Indexing in a real browser with several workers and saved vectors: a reload during the work, two tabs, a full storage,
// and a browser without private files.
import type { Page } from '@playwright/test';
import { expect } from '../fixtures.ts';
import { limitStorage, withoutPrivateFiles } from '../support/storage.ts';
import { test } from './package-site.ts';

interface Made {
  readonly size: number;
  readonly cached: number;
  readonly notes: readonly string[];
  readonly best: readonly (string | number)[];
}

interface Options {
  readonly texts: number;
  readonly keep?: string | { path: string };
  readonly workers?: number;
  /** Reloads the page when this many texts are done. */
  readonly reloadAt?: number;
}

/** Makes an index of generated texts and searches it. */
function makeIndex(page: Page, url: string, options: Options): Promise<Made> {
  return page.evaluate(
    async ([address, { texts, reloadAt, ...rest }]) => {
      const { open, createIndex } = await import(new URL('/index.js', location.href).href);
      const words = ['cat', 'dog', 'mat', 'home'];
      const docs = Array.from({ length: texts }, (_, i) => ({
        text: `the ${words[i % 4]} ran on the ${words[(i >> 2) % 4]} ${i}`,
      }));
      const notes = new Set<string>();
      let cached = 0;
      const onProgress = (progress: { loaded: number; cached: number; note?: string }) => {
        cached = progress.cached;
        if (progress.note !== undefined) {
          notes.add(progress.note);
        }
        if (reloadAt !== undefined && progress.loaded >= reloadAt) {
          location.reload();
        }
      };
      const model = await open(address);
      const index = await createIndex(model, docs, { ...rest, onProgress });
      const hits = await index.search('the cat ran home', { k: 20 });
      const { size } = index;
      await index.dispose();
      await model.dispose();
      return { size, cached, notes: [...notes], best: hits.map((hit: { id: number }) => hit.id) };
    },
    [url, options] as const,
  );
}

interface SavedVectors {
  readonly name: string;
  readonly bytes: number;
}

const list = (page: Page): Promise<SavedVectors[]> =>
  page.evaluate(async () => {
    const { vectorCaches } = await import(new URL('/index.js', location.href).href);
    return vectorCaches.list();
  });

const deleteVectors = (page: Page, name: string): Promise<boolean> =>
  page.evaluate(async (which) => {
    const { vectorCaches } = await import(new URL('/index.js', location.href).href);
    return vectorCaches.delete(which);
  }, name);

test('two workers give the same index as one', async ({ page, packageSite }) => {
  const { url, asked } = packageSite.serve();
  const one = await makeIndex(page, url, { texts: 2000 });
  const two = await makeIndex(page, url, { texts: 2000, workers: 2 });
  expect(two).toEqual({ ...one, cached: two.cached });
  expect(two.notes).toEqual([]);
  // The second worker copies the first one's memory, so the file is not requested again.
  expect(asked).toHaveLength(2);
});

test('indexing continues after a reload', async ({ page, packageSite }) => {
  const { url } = packageSite.serve();
  const plain = await makeIndex(page, url, { texts: 5000 });
  const reloaded = page.waitForEvent('load');
  const interrupted = makeIndex(page, url, { texts: 5000, keep: 'notes', reloadAt: 1000 });
  await Promise.all([reloaded, interrupted.catch(() => undefined)]);
  const rest = await makeIndex(page, url, { texts: 5000, keep: 'notes', workers: 2 });
  expect(rest.notes).toEqual([]);
  expect(rest.cached).toBeGreaterThanOrEqual(500);
  expect(rest.cached).toBeLessThan(5000);
  expect(rest.best).toEqual(plain.best);
  const all = await makeIndex(page, url, { texts: 5000, keep: 'notes' });
  expect(all).toEqual({ ...plain, cached: 5000 });
});

test('saved vectors are listed and deleted', async ({ page, packageSite }) => {
  const { url } = packageSite.serve();
  await makeIndex(page, url, { texts: 100, keep: 'my notes' });
  const [saved, ...others] = await list(page);
  expect(others).toEqual([]);
  expect(saved).toMatchObject({ name: 'my notes' });
  expect(saved?.bytes).toBeGreaterThan(100 * 32 * 4);
  expect(await deleteVectors(page, 'my notes')).toBe(true);
  expect(await deleteVectors(page, 'my notes')).toBe(false);
  expect(await list(page)).toEqual([]);
});

test('two tabs make the same index, and one of them saves the vectors', async ({
  context,
  page,
  packageSite,
}) => {
  const { url } = packageSite.serve();
  const other = await context.newPage();
  await other.goto(packageSite.origin);
  const options = { texts: 3000, keep: 'notes' };
  const made = await Promise.all([makeIndex(page, url, options), makeIndex(other, url, options)]);
  expect(made.map(({ size }) => size)).toEqual([3000, 3000]);
  const notes = made.flatMap((each) => each.notes);
  expect(notes).toEqual([expect.stringMatching(/not kept: Another tab/)]);
});

test('a full storage is reported, and the index is still made', async ({ page, packageSite }) => {
  await limitStorage(page, packageSite.origin, 1);
  const { url } = packageSite.serve();
  const { size, notes } = await makeIndex(page, url, { texts: 2000, keep: 'notes' });
  expect(size).toBe(2000);
  expect(notes).toEqual([expect.stringMatching(/not kept: The storage is full/)]);
});

test('a browser without private files reports that it saves nothing', async ({
  page,
  packageSite,
}) => {
  await withoutPrivateFiles(page, 'kept-vectors-worker.js');
  const { url } = packageSite.serve();
  const { size, notes } = await makeIndex(page, url, { texts: 100, keep: 'notes' });
  expect(size).toBe(100);
  expect(notes).toEqual([expect.stringMatching(/not kept: This browser keeps no files/)]);
});

test('a page that may keep nothing lists and deletes nothing', async ({ page, packageSite }) => {
  packageSite.serve();
  await page.evaluate(() => {
    const refuse = () => Promise.reject(new DOMException('Refused by the test.', 'SecurityError'));
    navigator.storage.getDirectory = refuse;
    navigator.locks.request = refuse;
  });
  expect(await list(page)).toEqual([]);
  expect(await deleteVectors(page, 'notes')).toBe(false);
});

test('a path is refused in a browser', async ({ page, packageSite }) => {
  const { url } = packageSite.serve();
  const error = await makeIndex(page, url, { texts: 10, keep: { path: 'notes' } }).catch(String);
  expect(error).toContain('give `keep` a name');
});
