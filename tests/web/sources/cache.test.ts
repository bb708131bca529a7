// Downloads that are kept, continued and used again, in Node's directory.
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openCached } from '../../../web/src/sources/cache/cached.ts';
import type { CachedOptions } from '../../../web/src/sources/cache/keeping.ts';
import { DirectoryStore } from '../../../web/src/sources/cache/node-directory.ts';
import { type CacheStore, keyOf } from '../../../web/src/sources/cache/store.ts';
import { contentOf, type Manners } from '../support/servers/byte-server.ts';
import { startServer } from '../support/servers/server.ts';
import { gather, quickRetries, sampleBytes } from '../support/source-jobs.ts';

const testSize = 300_000;
const file = sampleBytes(testSize);
const sha256 = createHash('sha256').update(file).digest('hex');
const server = await startServer(file);
const folder = await mkdtemp(join(tmpdir(), 'ambry-cache-'));
const store = new DirectoryStore(folder);
afterAll(() => rm(folder, { recursive: true }));

let names = 0;
const serve = (manners: Partial<Manners> = {}) =>
  server.serve(`cached${names++}`, { content: contentOf(file), etag: '"one"', ...manners });

const open = (url: string, options: Partial<CachedOptions> = {}) =>
  openCached(url, {
    signal: new AbortController().signal,
    retryPolicy: quickRetries(),
    store,
    whole: true,
    ...options,
  });

/** Uses the file as a job does. */
async function use(url: string, options: Partial<CachedOptions> = {}) {
  const source = await open(url, options);
  try {
    const bytes = await gather(source.stream(0, testSize));
    expect(bytes.equals(file)).toBe(true);
    await source.settle?.();
    return { cached: source.cached ?? false, note: source.note };
  } finally {
    await source.close();
  }
}

const entry = async (url: string) => store.find(await keyOf(url));

describe('openCached', () => {
  test('stores a download, and uses it again after one request without a body', async () => {
    const { url, asked, sent } = serve();
    expect(await use(url)).toEqual({ cached: false, note: undefined });
    expect(asked).toHaveLength(1);
    expect(await use(url)).toEqual({ cached: true, note: undefined });
    expect(asked.map(({ status }) => status)).toEqual([200, 304]);
    expect(sent()).toBe(testSize);
    expect((await entry(url))?.facts).toMatchObject({ url, size: testSize, complete: true });
  });

  test('compares Last-Modified where there is no ETag', async () => {
    const { url, sent } = serve({ etag: '', lastModified: 'Sat, 21 Nov 2020 10:00:00 GMT' });
    await use(url);
    expect(await use(url)).toMatchObject({ cached: true });
    expect(sent()).toBe(testSize + 1);
  });

  test.each([
    ['W/"a"', 'W/"a"', true],
    ['W/"a"', '"a"', true],
    ['"a"', 'W/"a"', true],
    ['W/"a"', 'W/"b"', false],
    ['W/"a"', '', false],
  ])('stores a file with the ETag %s, and for %s the copy is used: %s', async (before, now, is) => {
    const { url, asked } = serve({ etag: before });
    expect(await use(url)).toEqual({ cached: false, note: undefined });
    server.serve(new URL(url).pathname.slice(1), { content: contentOf(file), etag: now });
    expect(await use(url)).toMatchObject({ cached: is });
    expect(asked).toHaveLength(1);
  });

  test('asks whether a weak ETag is still the same, and for bytes as they are', async () => {
    const { url, asked } = serve({ etag: 'W/"a"', status: (n) => (n === 1 ? 304 : undefined) });
    await use(url);
    expect(await use(url)).toEqual({ cached: true, note: undefined });
    expect(asked.map(({ ifNoneMatch }) => ifNoneMatch)).toEqual([undefined, 'W/"a"']);
    expect(asked.map(({ acceptEncoding }) => acceptEncoding)).toEqual(['identity', 'identity']);
  });

  test('downloads the new file if it changed on the server', async () => {
    const { url, asked } = serve({ etag: (n) => (n === 0 ? '"one"' : '"two"') });
    await use(url);
    expect(await use(url)).toMatchObject({ cached: false });
    expect(asked.map(({ status }) => status)).toEqual([200, 206, 200]);
    expect((await entry(url))?.facts.version).toBe('"two"');
  });

  test('uses the cached file if the server does not answer, and says so', async () => {
    const { url } = serve();
    await use(url);
    server.serve(new URL(url).pathname.slice(1), {
      content: contentOf(file),
      status: () => 503,
    });
    expect(await use(url)).toMatchObject({ cached: true, note: /cannot be asked/ });
  });

  test('sends no request for a cached file with the right SHA-256', async () => {
    const { url, asked } = serve({ etag: () => 'W/"no version"' });
    expect(await use(url, { sha256 })).toMatchObject({ note: undefined });
    expect(await use(url, { sha256 })).toMatchObject({ cached: true });
    expect(asked).toHaveLength(1);
  });

  test('rejects a file with another SHA-256 and does not store it', async () => {
    const { url } = serve();
    await expect(use(url, { sha256: '0'.repeat(64) })).rejects.toMatchObject({
      code: 'Mismatch',
      path: 'sha256',
    });
    expect(await entry(url)).toBeUndefined();
  });

  test('does not store a file without a version, and says so', async () => {
    const { url } = serve({ etag: '' });
    expect(await use(url)).toMatchObject({ cached: false, note: /does not name/ });
    expect(await entry(url)).toBeUndefined();
  });

  test('does not store parts of a file, but reads them from a complete cached file', async () => {
    const { url, sent } = serve();
    const first = await open(url, { whole: false });
    await first.read(0, 100);
    await first.close();
    expect(await entry(url)).toBeUndefined();
    await use(url);
    const before = sent();
    const second = await open(url, { whole: false });
    expect(await second.read(100_000, 100)).toEqual(file.subarray(100_000, 100_100));
    await second.close();
    expect(sent()).toBe(before);
  });

  test('stores the decompressed bytes of a compressed response', async () => {
    const { url } = serve({ ranges: false, encoding: 'gzip' });
    await use(url);
    expect((await entry(url))?.bytes).toBe(testSize);
    expect(await use(url)).toMatchObject({ cached: true });
  });
});

describe('a download that ended early', () => {
  /** Reads some of it and leaves, as a page does that is closed. */
  async function begin(url: string) {
    const source = await open(url);
    await source.read(0, 100_000);
    await source.close();
    return (await entry(url))?.bytes ?? 0;
  }

  test('continues where it ended', async () => {
    const { url, asked, sent } = serve({ bytesPerSecond: 4_000_000 });
    const held = await begin(url);
    expect(held).toBeGreaterThan(0);
    expect(held).toBeLessThan(testSize);
    const before = sent();
    expect(await use(url)).toMatchObject({ cached: false });
    expect(asked.at(-1)).toMatchObject({
      range: `bytes=${held}-${testSize - 1}`,
      ifRange: '"one"',
    });
    expect(sent() - before).toBe(testSize - held);
    expect(await use(url)).toMatchObject({ cached: true });
  });

  test('starts again if the file has changed', async () => {
    const { url, asked } = serve({
      etag: (n) => (n === 0 ? '"one"' : '"two"'),
      bytesPerSecond: 4_000_000,
    });
    await begin(url);
    await use(url);
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await entry(url))?.facts).toMatchObject({ version: '"two"', complete: true });
  });

  test('starts again if it has only a weak ETag', async () => {
    const { url, asked } = serve({ etag: 'W/"a"', bytesPerSecond: 4_000_000 });
    expect(await begin(url)).toBeGreaterThan(0);
    expect(await use(url)).toMatchObject({ cached: false });
    expect(asked.map(({ range }) => range)).toEqual([undefined, undefined]);
    expect(await use(url)).toMatchObject({ cached: true });
  });

  test('skips the cached bytes if the server has no range requests', async () => {
    const { url } = serve({ ranges: false, bytesPerSecond: 4_000_000 });
    await begin(url);
    expect(await use(url)).toMatchObject({ cached: false });
    expect((await entry(url))?.bytes).toBe(testSize);
  });

  test('is checked by the SHA-256 of the whole file', async () => {
    const { url } = serve({ bytesPerSecond: 4_000_000 });
    await begin(url);
    await use(url, { sha256 });
    expect((await entry(url))?.facts.sha256).toBe(sha256);
    const other = serve({ bytesPerSecond: 4_000_000 });
    await begin(other.url);
    const path = join(folder, `${await keyOf(other.url)}.bin`);
    const held = (await entry(other.url))?.bytes ?? 0;
    await writeFile(path, new Uint8Array(held));
    await expect(use(other.url, { sha256 })).rejects.toThrow();
    expect(await entry(other.url)).toBeUndefined();
  });

  test('starts again if the metadata is damaged', async () => {
    const { url } = serve();
    await use(url);
    await truncate(join(folder, `${await keyOf(url)}.json`), 5);
    expect(await use(url)).toMatchObject({ cached: false });
  });
});

describe('two jobs', () => {
  test('do not write the same file: the second one does not store it', async () => {
    const { url, asked } = serve();
    const first = await open(url);
    expect(await use(url)).toMatchObject({ cached: false, note: /Another job/ });
    expect((await gather(first.stream(0, testSize))).equals(file)).toBe(true);
    await first.settle?.();
    await first.close();
    const before = asked.length;
    expect(await use(url)).toMatchObject({ cached: true });
    expect(asked.length).toBe(before + 1);
  });

  test('can read the same file', async () => {
    const { url } = serve();
    await use(url);
    const first = await open(url);
    expect(await use(url)).toMatchObject({ cached: true });
    await first.close();
  });

  test('leave no locks, and ignore locks of processes that have ended', async () => {
    const { url } = serve();
    await writeFile(join(folder, `${await keyOf(url)}.exclusive.999999999.0`), '');
    expect(await use(url)).toMatchObject({ note: undefined });
    await expect
      .poll(async () => (await readdir(folder)).filter((name) => !/\.(bin|json)$/.test(name)))
      .toEqual([]);
  });
});

describe('a storage that is full', () => {
  const full = (after: number): CacheStore => {
    const limited: CacheStore = Object.create(store);
    limited.write = async (key, from) => {
      const writer = await store.write(key, from);
      let bytes = 0;
      const append = (chunk: Uint8Array<ArrayBuffer>) => {
        bytes += chunk.byteLength;
        if (bytes > after) {
          throw new DOMException('no room', 'QuotaExceededError');
        }
        return writer.append(chunk);
      };
      return { ...writer, append };
    };
    for (const name of ['lock', 'find', 'remove', 'keys'] as const) {
      limited[name] = store[name].bind(store) as never;
    }
    return limited;
  };

  test.each([
    0, 100_000,
  ])('after %d bytes is reported, stores no file, and does not stop the job', async (n) => {
    const { url, asked } = serve();
    expect(await use(url, { store: full(n) })).toMatchObject({ note: /storage is full/ });
    expect(asked.map(({ status }) => status)).toEqual([200]);
    expect(await entry(url)).toBeUndefined();
  });
});
