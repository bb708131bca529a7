// Cached files that something else changed are found out and downloaded again, and no lock stays behind.
import { createHash } from 'node:crypto';
import { appendFile, mkdir, open, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openCached } from '../../../web/src/sources/cache/cached.ts';
import type { CachedOptions } from '../../../web/src/sources/cache/keeping.ts';
import { DirectoryStore, directoryStore } from '../../../web/src/sources/cache/node-directory.ts';
import { keyOf } from '../../../web/src/sources/cache/store.ts';
import { MustRestart } from '../../../web/src/sources/http/error.ts';
import { cachingOpener } from '../../../web/src/sources/open-cached.ts';
import { folderForAllTests } from '../support/for-all-tests.ts';
import { contentOf, type Manners } from '../support/servers/byte-server.ts';
import { startServer } from '../support/servers/server.ts';
import { gather, quickRetries, runJob, sampleBytes } from '../support/source-jobs.ts';

const size = 300_000;
const file = sampleBytes(size);
const sha256 = createHash('sha256').update(file).digest('hex');
const server = await startServer(file);
const folder = folderForAllTests('ambry-damage');
const store = new DirectoryStore(folder);
afterEach(async () => {
  const locks = (await readdir(folder)).filter((name) => !/\.(bin|json)$/.test(name));
  expect(locks).toEqual([]);
});

let names = 0;
const serve = (manners: Partial<Manners> = {}) =>
  server.serve(`damaged${names++}`, { content: contentOf(file), etag: '"one"', ...manners });
const serveAgain = (url: string, manners: Partial<Manners>) =>
  server.serve(new URL(url).pathname.slice(1), {
    content: contentOf(file),
    etag: '"one"',
    ...manners,
  });

const signal = new AbortController().signal;
const openAt = (url: string, options: Partial<CachedOptions> = {}) => {
  return openCached(url, { signal, retryPolicy: quickRetries(), store, whole: true, ...options });
};

/** Uses the file as a job does, which starts again when it must. */
async function use(url: string, options: Partial<CachedOptions> = {}) {
  const { result, starts } = await runJob(
    () => openAt(url, options),
    async (source) => {
      const isRight = (await gather(source.stream(0, size))).equals(file);
      return { isRight, cached: source.cached ?? false };
    },
  );
  return { ...result, starts };
}

const pathOf = async (url: string, extension: 'bin' | 'json') =>
  join(folder, `${await keyOf(url)}.${extension}`);

/** Changes bytes in the middle, as a failing disk does. */
async function alter(url: string): Promise<void> {
  const handle = await open(await pathOf(url, 'bin'), 'r+');
  await handle.write(Buffer.from('rotten'), 0, 6, 1000);
  await handle.close();
}

const kept = { isRight: true, cached: true, starts: 1 };

describe('a complete file', () => {
  test('that was altered is found out by its SHA-256, and downloaded again', async () => {
    const { url, asked } = serve();
    await use(url, { sha256 });
    await alter(url);
    expect(await use(url, { sha256 })).toEqual({ isRight: true, cached: false, starts: 1 });
    expect(await use(url, { sha256 })).toEqual(kept);
    expect(asked.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('that was altered is found out by a job that reads a part of it', async () => {
    const { url } = serve();
    await use(url, { sha256 });
    await alter(url);
    const source = await openAt(url, { sha256, whole: false });
    expect(await source.read(1000, 10)).toEqual(file.subarray(1000, 1010));
    expect(source.cached ?? false).toBe(false);
    await source.close();
    expect(await store.find(await keyOf(url))).toBeUndefined();
  });

  test.each([
    ['shorter', (path: string) => truncate(path, size - 1)],
    ['empty', (path: string) => truncate(path, 0)],
    ['longer', (path: string) => appendFile(path, 'more')],
  ])('that became %s is downloaded again', async (_, change) => {
    const { url } = serve();
    await use(url);
    await change(await pathOf(url, 'bin'));
    expect(await use(url)).toEqual({ isRight: true, cached: false, starts: 1 });
    expect(await use(url)).toEqual(kept);
  });

  test('of the hub is compared with the server where the job asks for it', async () => {
    const { url, asked } = serve();
    await use(url, { hub: {} });
    const path = await pathOf(url, 'json');
    const facts: object = JSON.parse(await readFile(path, 'utf8'));
    expect(await use(url, { hub: {} })).toEqual(kept);
    expect(asked).toHaveLength(1);
    expect(await use(url, { hub: {}, asks: true })).toEqual(kept);
    expect(asked.map(({ status }) => status)).toEqual([200, 304]);
    await writeFile(path, JSON.stringify({ ...facts, version: '"zero"' }));
    expect(await use(url, { hub: {}, asks: true })).toMatchObject({ cached: false });
  });

  test('that becomes shorter while it is read is downloaded again', async () => {
    const { url } = serve();
    await use(url);
    const source = await openAt(url);
    await truncate(await pathOf(url, 'bin'), 10);
    await expect(source.read(5000, 10)).rejects.toBeInstanceOf(MustRestart);
    await source.close();
    expect(await use(url)).toEqual({ isRight: true, cached: false, starts: 1 });
  });

  test('whose server says 404 is an error', async () => {
    const { url } = serve();
    await use(url);
    serveAgain(url, { status: () => 404 });
    await expect(use(url)).rejects.toMatchObject({ code: 'Http' });
    serveAgain(url, {});
    expect(await use(url)).toEqual(kept);
  });

  test('whose server says 416 is downloaded again', async () => {
    const { url } = serve();
    await use(url);
    serveAgain(url, { status: (n) => (n === 0 ? 416 : undefined) });
    expect(await use(url)).toEqual({ isRight: true, cached: false, starts: 1 });
  });

  test('is not confirmed by a 304 that nobody asked for', async () => {
    const { url } = serve({ etag: '', lastModified: 'Sat, 21 Nov 2020 10:00:00 GMT' });
    await use(url);
    serveAgain(url, { etag: '', status: () => 304 });
    await expect(use(url)).rejects.toMatchObject({ code: 'Http' });
  });
});

describe('a part of a file', () => {
  async function begin(manners: Partial<Manners> = {}): Promise<string> {
    const { url } = serve({ bytesPerSecond: 4_000_000, ...manners });
    const source = await openAt(url);
    await source.read(0, 100_000);
    await source.close();
    return url;
  }

  test('that was altered is found out by the SHA-256, and downloaded again', async () => {
    const url = await begin();
    await alter(url);
    expect(await use(url, { sha256 })).toEqual({ isRight: true, cached: false, starts: 2 });
    expect(await use(url, { sha256 })).toEqual(kept);
  });

  test('that a job cannot use is removed, but not after an abort or without a network', async () => {
    const url = await begin();
    const key = await keyOf(url);
    const readAll = async (options: Partial<CachedOptions>, limit = size) => {
      const source = await openAt(url, options);
      const reading = source.read(0, limit);
      await reading.catch(() => {});
      await source.close();
    };
    const controller = new AbortController();
    const source = await openAt(url, { signal: controller.signal });
    await source.read(0, 10);
    controller.abort();
    await source.close();
    expect(await store.find(key)).toBeDefined();
    serveAgain(url, { dropAfter: () => 0 });
    await readAll({});
    expect(await store.find(key)).toBeDefined();
    serveAgain(url, {});
    // The job closes the file before its end, as after an error of the parser.
    await readAll({}, 10);
    expect(await store.find(key)).toBeUndefined();
  });

  test('whose server does not answer is an Http error', async () => {
    const url = await begin();
    server.serve(new URL(url).pathname.slice(1), { content: contentOf(file), status: () => 503 });
    await expect(use(url)).rejects.toMatchObject({ code: 'Http', message: /503/ });
  });

  test('that is longer than the file is downloaded again', async () => {
    const url = await begin();
    await appendFile(await pathOf(url, 'bin'), new Uint8Array(size));
    expect(await use(url)).toEqual({ isRight: true, cached: false, starts: 1 });
  });

  test('that became shorter is continued', async () => {
    const url = await begin();
    await truncate(await pathOf(url, 'bin'), 70_000);
    expect(await use(url)).toEqual({ isRight: true, cached: false, starts: 1 });
    expect(await use(url)).toEqual(kept);
  });

  test('of a file that was replaced by a smaller one is thrown away', async () => {
    const url = await begin();
    serveAgain(url, { etag: '"two"', ranges: false });
    expect(await use(url)).toEqual({ isRight: true, cached: false, starts: 1 });
    expect(await use(url)).toEqual(kept);
  });
});

describe('odd metadata', () => {
  const facts = { size, version: '"one"', complete: true, storedAt: 1 };
  test.each([
    'null',
    '[]',
    '"x"',
    '7',
    '{',
    '{}',
    { ...facts, url: 5 },
    { ...facts, version: 5 },
    { ...facts, version: '"one"\nx: y' },
    { ...facts, version: '"€"' },
    { ...facts, size: -1 },
    { ...facts, size: '300000' },
    { ...facts, size: undefined },
    { ...facts, sha256: 5 },
    { ...facts, complete: 'no' },
    { ...facts, storedAt: null },
    { ...facts, complete: false, version: {} },
  ])('%j counts as no file', async (odd) => {
    const { url } = serve();
    await use(url);
    const text = typeof odd === 'string' ? odd : JSON.stringify({ url, ...odd });
    await writeFile(await pathOf(url, 'json'), text);
    expect(await use(url)).toEqual({ isRight: true, cached: false, starts: 1 });
    expect(await use(url)).toEqual(kept);
  });
});

describe('a place that cannot be written', () => {
  test('for the bytes lets the job go on, with a note', async () => {
    const { url } = serve();
    await mkdir(await pathOf(url, 'bin'));
    const source = await openAt(url);
    expect(source.note).toMatch(/not kept: EISDIR/);
    expect(await source.read(5, 5)).toEqual(file.slice(5, 10));
    await source.close();
  });

  test('for the cache lets the job go on, with a note', async () => {
    const { url } = serve();
    const directory = join(folder, 'occupied.bin');
    await writeFile(directory, '');
    const opener = cachingOpener(directoryStore);
    const wire = { kind: 'url', url, cache: { directory } } as const;
    const source = await opener(wire, { signal, whole: true });
    expect(source.note).toMatch(/not kept: (EEXIST|ENOTDIR)/);
    await source.close();
  });
});
