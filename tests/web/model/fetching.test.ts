// Downloads through the package: continued, begun again, kept in a directory, and checked.
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { OpenOptions, Progress } from '../../../web/src/index.ts';
import * as kinds from '../support/open-kinds.ts';
import { ambry, smallModel } from '../support/package.ts';
import { ByteServer, contentOf, type Manners } from '../support/servers/byte-server.ts';
import { startServer } from '../support/servers/server.ts';

const file = await smallModel();
const other = await smallModel(2);
const sha256 = createHash('sha256').update(file).digest('hex');
const server = await startServer(file);
const directory = await mkdtemp(join(tmpdir(), 'ambry-fetching-'));
afterAll(() => rm(directory, { recursive: true }));
const cache = { directory };

let names = 0;
const serve = (manners: Partial<Manners> = {}) =>
  server.serve(`fetched${names++}`, { content: contentOf(file), etag: '"one"', ...manners });

async function openEncoder(source: string | ReadableStream<Uint8Array>, options: OpenOptions = {}) {
  const seen: Progress[] = [];
  const model = await kinds.openEncoder(source, { ...options, onProgress: (it) => seen.push(it) });
  const vector = await model.embed('a cat sat');
  await model.dispose();
  return { vector, last: seen.at(-1), seen };
}

const expected = (await openEncoder(new Blob([file]).stream())).vector;
const half = file.length >> 1;

describe('a download', () => {
  test('continues after a broken connection', async () => {
    const { url, asked } = serve({ dropAfter: (n) => (n === 0 ? half : undefined), ranges: true });
    expect((await openEncoder(url)).vector).toEqual(expected);
    expect(asked.length).toBeGreaterThanOrEqual(2);
    expect(asked.some(({ ifRange }) => ifRange === '"one"')).toBe(true);
  });

  test('starts again if it cannot continue', async () => {
    const manners = { ranges: false, etag: '' };
    const { url, asked } = serve({ ...manners, dropAfter: (n) => (n === 0 ? half : undefined) });
    const { vector, seen } = await openEncoder(url);
    expect(vector).toEqual(expected);
    expect(asked.map(({ status }) => status)).toEqual([200, 200]);
    const loaded = seen.map((progress) => progress.loaded);
    expect(loaded).toEqual(loaded.toSorted((a, b) => a - b));
  });

  test('of a file that is replaced gives the new file, and not a mixture', async () => {
    const isNew = (n: number) => n > 0;
    const { url } = serve({
      ranges: false,
      content: (n) => contentOf(isNew(n) ? other : file),
      etag: (n) => (isNew(n) ? '"two"' : '"one"'),
      dropAfter: (n) => (isNew(n) ? undefined : half),
    });
    const { vector } = await openEncoder(url);
    expect(vector).toEqual((await openEncoder(new Blob([other]).stream())).vector);
  });

  test('reports a stated length above the length of the file', async () => {
    const longer = new Uint8Array([...file, 1, 2, 3]);
    const { url } = serve({ content: contentOf(longer), ranges: false, length: 'none' });
    await expect(openEncoder(url)).rejects.toMatchObject({
      code: 'Mismatch',
      byteOffset: file.length,
    });
  });

  test.each([
    { sha256 },
    { sha256: sha256.toUpperCase(), cache },
  ])('checks the SHA-256: %o', async (option) => {
    expect((await openEncoder(serve().url, option)).vector).toEqual(expected);
    await expect(
      openEncoder(serve({ content: contentOf(other) }).url, option),
    ).rejects.toMatchObject({
      code: 'Mismatch',
      path: 'sha256',
    });
  });

  test('with another SHA-256 is also rejected by inspect and validate', async () => {
    const { url } = serve({ content: contentOf(other) });
    await expect(ambry.inspect(url, { sha256 })).rejects.toMatchObject({ path: 'sha256' });
    await expect(ambry.validate(url, { sha256 })).rejects.toMatchObject({ path: 'sha256' });
    await expect(ambry.inspect(url, { sha256: 'abc' })).rejects.toMatchObject({ code: 'BadValue' });
  });

  test('from a silent server ends after the stallTimeout', async () => {
    const silent = await ByteServer.start(() => {});
    const stallTimeout = 100;
    const failure = { code: 'Http', message: expect.stringMatching(/nothing came for 0.1 s/) };
    const url = `${silent.origin}/model.weights`;
    await expect(ambry.inspect(url, { stallTimeout })).rejects.toMatchObject(failure);
    await expect(ambry.open(url, { stallTimeout, cache })).rejects.toMatchObject(failure);
    await expect(ambry.open(url, { stallTimeout, mode: 'range' })).rejects.toMatchObject(failure);
    await expect(ambry.convert(url, { stallTimeout })).rejects.toMatchObject(failure);
    silent.close();
  });

  test.each([0, -1, Number.NaN])('rejects a stallTimeout of %d', async (stallTimeout) => {
    await expect(ambry.inspect(serve().url, { stallTimeout })).rejects.toMatchObject({
      code: 'BadValue',
      path: 'stallTimeout',
    });
  });

  test('without a limit waits', async () => {
    const stallTimeout = Number.POSITIVE_INFINITY;
    expect((await openEncoder(serve().url, { stallTimeout })).vector).toEqual(expected);
    const { blob } = await ambry.quantize(serve().url, { type: 'int8', stallTimeout });
    expect(blob?.size).toBeGreaterThan(0);
  });

  test('leaves no connection open after an abort', async () => {
    const { url, asked } = serve({ stallAfter: () => 1000 });
    const signal = AbortSignal.timeout(200);
    await expect(ambry.inspect(url, { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect.poll(() => asked.every(({ abandoned }) => abandoned)).toBe(true);
  });
});

describe('the cache', () => {
  test('is off by default', async () => {
    const { url, sent } = serve();
    await openEncoder(url);
    await openEncoder(url);
    expect(sent()).toBeGreaterThan(file.length);
    expect(await ambry.cache.list({ directory })).not.toContainEqual(
      expect.objectContaining({ url }),
    );
  });

  test('stores files that are opened, validated or converted, lists and deletes them', async () => {
    await ambry.cache.clear({ directory });
    const opened = serve();
    expect((await openEncoder(opened.url, { cache })).last).toMatchObject({ cached: false });
    expect((await openEncoder(opened.url, { cache })).last).toMatchObject({
      cached: true,
      phase: 'load',
    });
    expect(opened.asked.map(({ status }) => status)).toEqual([200, 304]);
    const validated = serve();
    expect((await ambry.validate(validated.url, { cache })).valid).toBe(true);
    const converted = serve();
    await ambry.convert(converted.url, { cache, dtype: 'f16' });
    const list = await ambry.cache.list({ directory });
    expect(list.map(({ url }) => url).toSorted()).toEqual(
      [opened.url, validated.url, converted.url].toSorted(),
    );
    expect(list.every(({ bytes, size, complete }) => complete && bytes === size)).toBe(true);
    expect(await ambry.cache.size({ directory })).toBe(3 * file.length);
    expect(await ambry.cache.delete(opened.url, { directory })).toBe(true);
    expect(await ambry.cache.delete(opened.url, { directory })).toBe(false);
    await ambry.cache.clear({ directory });
    expect(await readdir(directory)).toEqual([]);
  });

  test('serves two at once: one stores the file, both get their model', async () => {
    const { url } = serve({ bytesPerSecond: 2_000_000 });
    const both = await Promise.all([openEncoder(url, { cache }), openEncoder(url, { cache })]);
    for (const { vector } of both) {
      expect(vector).toEqual(expected);
    }
    expect((await openEncoder(url, { cache })).last).toMatchObject({ cached: true });
  });

  test('reports its failures while the work goes on', async () => {
    const { url } = serve({ etag: () => '' });
    expect((await openEncoder(url, { cache })).last).toMatchObject({
      note: expect.stringMatching(/not kept/),
    });
  });
});
