// URLs against a real server that does what servers do.
import { describe, expect, test, vi } from 'vitest';
import type { ByteSource } from '../../../web/src/sources/base/byte-source.ts';
import { RetryPolicy } from '../../../web/src/sources/base/retry-policy.ts';
import { MustRestart } from '../../../web/src/sources/http/error.ts';
import { openHttp } from '../../../web/src/sources/http/http.ts';
import { ByteServer, contentOf, type Manners } from '../support/servers/byte-server.ts';
import { startServer } from '../support/servers/server.ts';
import { gather, quickRetries, sampleBytes } from '../support/source-jobs.ts';

const testSize = 300_000;
const file = sampleBytes(testSize);
const server = await startServer(file);
const longAgo = 'Sat, 21 Nov 2020 10:00:00 GMT';
const never = new AbortController().signal;

/** For servers that fall silent. Long enough for the others on a busy machine. */
const silenceMs = 1000;
const open = (behaviour: Parameters<typeof server.url>[0], signal = never) =>
  openHttp(server.url(behaviour), { signal, retryPolicy: quickRetries() });

let names = 0;
const serve = (manners: Partial<Manners>) =>
  server.serve(`file${names++}`, { content: contentOf(file), ...manners });
const openAt = (url: string, signal = never, stallMs?: number): Promise<ByteSource> =>
  openHttp(url, { signal, retryPolicy: quickRetries(stallMs) });

async function readWhole(url: string, stallMs?: number): Promise<Buffer> {
  const source = await openAt(url, never, stallMs);
  return gather(source.stream(0, testSize));
}

describe('openHttp', () => {
  test.each([
    ['ranges', true, testSize],
    ['hidden-content-range', false, testSize],
    ['plain', false, testSize],
    ['no-length', false, undefined],
    ['gzip', false, undefined],
    ['br', false, undefined],
  ] as const)('a server with %s gives the whole file', async (behaviour, seekable, size) => {
    const source = await open(behaviour);
    expect(source).toMatchObject({ size, seekable, phase: 'download' });
    expect(await source.read(100_000, 10)).toEqual(file.subarray(100_000, 100_010));
    expect(await source.read(5, 10)).toEqual(file.subarray(5, 15));
    const streamed = await gather(source.stream(50, testSize));
    expect(streamed.equals(file.subarray(50))).toBe(true);
    expect(source.size).toBe(testSize);
    await source.close();
  });

  test('a plain response is requested once, and its head is used', async () => {
    const { url, asked } = serve({ ranges: false });
    const source = await openAt(url);
    await source.read(0, 1000);
    await gather(source.stream(0, testSize));
    expect(asked.map(({ range }) => range)).toEqual(['bytes=0-65535']);
  });

  test('a file of an extension, whose ranges Chromium answers as if they were whole, is read', async () => {
    const url = 'chrome-extension://abcdefghijklmnop/model.weights';
    vi.stubGlobal('fetch', async (_: string, { headers }: { headers: Record<string, string> }) => {
      const [, begin, last] = /^bytes=(\d+)-(\d*)$/.exec(headers['range'] ?? '') ?? [];
      const end = last ? Number(last) + 1 : testSize;
      return new Response(file.subarray(Number(begin ?? 0), end));
    });
    try {
      expect((await readWhole(url)).equals(file)).toBe(true);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test('later ranges of a large file are requested as needed', async () => {
    const content = contentOf(sampleBytes(1_100_000));
    const { url, asked } = serve({ content, etag: '"one"' });
    const source = await openAt(url);
    await source.read(0, 60_000);
    await source.read(200_000, 100);
    await source.read(65_000, 10_000);
    await source.read(70_000, 1000);
    expect(asked.map(({ range }) => range)).toEqual([
      'bytes=0-65535',
      'bytes=200000-200099',
      'bytes=65536-74999',
    ]);
  });

  test('a file of a megabyte takes two requests, however it is read', async () => {
    const bytes = sampleBytes(1 << 20);
    const { url, asked } = serve({ content: contentOf(bytes), etag: '"one"' });
    const source = await openAt(url);
    for (let at = 1_000_000; at > 0; at -= 90_000) {
      expect(await source.read(at, 100)).toEqual(bytes.subarray(at, at + 100));
    }
    const streamed = await gather(source.stream(50, bytes.byteLength));
    expect(streamed.equals(bytes.subarray(50))).toBe(true);
    expect(asked.map(({ range }) => range)).toEqual(['bytes=0-65535', 'bytes=65536-1048575']);
  });

  test('of a file of a megabyte only the head is read if that is enough', async () => {
    const { url, asked } = serve({ content: contentOf(sampleBytes(1 << 20)), etag: '"one"' });
    const source = await openAt(url);
    await source.read(0, 1000);
    await source.close();
    expect(asked.map(({ range }) => range)).toEqual(['bytes=0-65535']);
  });

  test('leaving early closes the connection', async () => {
    const before = server.abandoned();
    const source = await open('stall');
    await source.read(0, 100);
    await source.close();
    await expect.poll(server.abandoned).toBe(before + 1);
  });

  test('an empty file is empty', async () => {
    const source = await openAt(serve({ content: contentOf(new Uint8Array(0)) }).url);
    expect(source.size).toBe(0);
  });

  test.each([
    ['html', /web page.*html.*200.*text\/html/is],
    ['missing', /missing answered 404 .*text\/html/],
  ] as const)('%s is reported', async (behaviour, message) => {
    await expect(open(behaviour)).rejects.toMatchObject({ code: 'Http', message });
  });

  test('a missing server is reported', async () => {
    const closed = 'http://127.0.0.1:9/model.weights';
    await expect(openHttp(closed, { signal: never })).rejects.toMatchObject({
      code: 'Http',
      message: /No answer from http:\/\/127\.0\.0\.1:9/,
    });
  });

  test('an abort ends a download that stalls', async () => {
    const controller = new AbortController();
    const { url, asked } = serve({ ranges: false, stallAfter: () => 1000 });
    const source = await openHttp(url, { signal: controller.signal });
    const all = gather(source.stream(0, testSize));
    setTimeout(() => controller.abort(), 20);
    await expect(all).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(() => asked[0]?.abandoned).toBe(true);
  });

  test('an abort ends the wait between two attempts', async () => {
    const controller = new AbortController();
    const { url, asked } = serve({ status: () => 503 });
    setTimeout(() => controller.abort(), 50);
    await expect(openHttp(url, { signal: controller.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(asked).toHaveLength(1);
  });

  test('the size of a file is found by reading it, if it is unknown', async () => {
    const seen: number[] = [];
    const source = await openHttp(server.url('no-length'), {
      signal: never,
      onSpool: (bytes) => seen.push(bytes),
    });
    expect(await source.measure()).toBe(testSize);
    expect(seen.at(-1)).toBe(testSize);
    expect(await source.read(testSize - 4, 4)).toEqual(file.subarray(testSize - 4));
    expect((await gather(source.stream(0, testSize))).equals(file)).toBe(true);
  });

  test('who reads a file hears how much of its head has come', async () => {
    const seen: number[] = [];
    const source = await openHttp(server.url('ranges'), {
      signal: never,
      onHead: (bytes, size) => {
        expect(size).toBe(testSize);
        seen.push(bytes);
      },
    });
    expect(seen.at(-1)).toBe(65_536);
    // A small file is read to its end.
    await source.read(testSize - 4, 4);
    expect(seen.at(-1)).toBe(testSize);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
  });

  test('the end of a file of unknown size is found by reading past it', async () => {
    const source = await open('no-length');
    expect(await source.read(testSize - 4, 10)).toEqual(file.subarray(testSize - 4));
    expect(source.size).toBe(testSize);
  });

  test.each([
    [testSize + 1, { code: 'Truncated', byteOffset: testSize }],
    [testSize - 1, { code: 'Mismatch', byteOffset: testSize - 1 }],
  ])('a file of unknown size that should have %d bytes is rejected', async (end, error) => {
    const source = await open('no-length');
    await expect(gather(source.stream(0, end))).rejects.toMatchObject(error);
  });

  test('a stated length below the length of the file gives a truncated file', async () => {
    const { url } = serve({ ranges: false, length: testSize - 1000 });
    await expect(readWhole(url)).rejects.toMatchObject({ code: 'Truncated' });
  });

  test('a stated length above the length of the file fails the download', async () => {
    const source = await openAt(
      serve({ ranges: false, length: testSize + 1000 }).url,
      never,
      silenceMs,
    );
    await expect(gather(source.stream(0, testSize + 1000))).rejects.toMatchObject({
      code: 'Http',
      message: /broke off after 300000 of 301000 bytes/,
    });
  });
});

describe('a connection that breaks', () => {
  const dropFirst = (times: number) => (request: number) => (request < times ? 100_000 : undefined);

  test.each([
    ['its ETag', { etag: '"one"' }, '"one"'],
    ['its weak ETag', { etag: 'W/"one"' }, undefined],
    ['Last-Modified', { lastModified: longAgo }, undefined],
  ] as const)('continues where it ended, with %s', async (_, manners, version) => {
    const { url, asked } = serve({ ...manners, dropAfter: (n) => (n === 1 ? 50_000 : undefined) });
    expect((await readWhole(url)).equals(file)).toBe(true);
    const last = asked.at(-1);
    expect(asked.map(({ status }) => status)).toEqual([206, 206, 206]);
    expect(Number(/bytes=(\d+)-/.exec(last?.range ?? '')?.[1])).toBeGreaterThan(65_536);
    if (version === undefined) {
      expect(last?.ifRange).toBeUndefined();
    } else {
      expect(last?.ifRange).toMatch(version);
    }
    expect(asked.reduce((sum, { sent }) => sum + sent, 0)).toBeLessThan(testSize + 70_000);
  });

  test('continues a file of unknown length', async () => {
    const { url, asked } = serve({
      length: 'none',
      etag: '"one"',
      hideRange: true,
      dropAfter: (n) => (n === 1 ? 100_000 : undefined),
    });
    const source = await openAt(url);
    expect((await gather(source.stream(0, testSize))).equals(file)).toBe(true);
    // The place of a part whose Content-Range is hidden is unknown, so all of the file is asked for.
    expect(asked.map(({ status }) => status)).toEqual([206, 200, 206, 200]);
  });

  test('starts again without an error if the server has no ranges but the same version', async () => {
    const { url, asked } = serve({ ranges: false, etag: '"one"', dropAfter: dropFirst(2) });
    expect((await readWhole(url)).equals(file)).toBe(true);
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('makes the caller start again without ranges or a version', async () => {
    const { url } = serve({ ranges: false, dropAfter: dropFirst(1) });
    const error = await readWhole(url).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MustRestart);
    expect(error).toMatchObject({ message: /broke off after 100000 of 300000 bytes/ });
  });

  test('makes the caller start again if the file changed', async () => {
    const { url } = serve({
      etag: (n) => (n < 2 ? '"one"' : '"two"'),
      dropAfter: (n) => (n === 1 ? 100_000 : undefined),
    });
    const error = await readWhole(url).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MustRestart);
    expect(error).toMatchObject({ message: /changed at the server/ });
  });

  test('gets the status 416 if the file became shorter', async () => {
    const { url, asked } = serve({
      etag: '"one"',
      content: (n) => contentOf(n < 2 ? file : file.subarray(0, 70_000)),
      dropAfter: (n) => (n === 1 ? 100_000 : undefined),
    });
    await expect(readWhole(url)).rejects.toMatchObject({ message: /300000 bytes, now 70000/ });
    expect(asked.at(-1)?.status).toBe(416);
  });

  test('at the end of a file of unknown length ends the file', async () => {
    const { url, asked } = serve({
      length: 'none',
      hideRange: true,
      etag: '"one"',
      dropAfter: (n) => (n === 1 ? testSize : undefined),
    });
    const source = await openAt(url);
    expect((await gather(source.stream(0, testSize))).equals(file)).toBe(true);
    expect(asked.at(-1)?.status).toBe(416);
  });

  test('is reported after several attempts, with the number of bytes', async () => {
    const waited: number[] = [];
    const { url, asked } = serve({
      etag: '"one"',
      dropAfter: (_, begin) => (begin > 0 ? 0 : undefined),
    });
    const source = await openHttp(url, {
      signal: never,
      retryPolicy: new RetryPolicy({
        random: () => 1,
        sleep: (ms) => {
          waited.push(ms);
          return Promise.resolve();
        },
      }),
    });
    await expect(gather(source.stream(0, testSize))).rejects.toMatchObject({
      code: 'Http',
      message: /broke off after 65536 of 300000 bytes/,
    });
    expect(waited).toEqual([500, 1000, 2000, 4000]);
    expect(asked).toHaveLength(6);
  });

  test('is continued any number of times while new bytes arrive', async () => {
    const { url, asked } = serve({ etag: '"one"', dropAfter: () => 30_000 });
    expect((await readWhole(url)).equals(file)).toBe(true);
    expect(asked.length).toBeGreaterThan(9);
  });

  test('without data counts as broken, and is continued', async () => {
    const { url, asked } = serve({
      etag: '"one"',
      stallAfter: (n) => (n === 1 ? 9000 : undefined),
    });
    expect((await readWhole(url, silenceMs)).equals(file)).toBe(true);
    expect(asked).toHaveLength(3);
    await expect.poll(() => asked[1]?.abandoned).toBe(true);
  });

  test('that stays silent ends after the second stall, and says how long it waited', async () => {
    const { url, asked } = serve({
      etag: '"one"',
      stallAfter: (_, begin) => (begin ? 0 : undefined),
    });
    await expect(readWhole(url, silenceMs)).rejects.toMatchObject({
      code: 'Http',
      message: /broke off after 65536 of 300000 bytes.*nothing came for 1 s/,
    });
    expect(asked).toHaveLength(3);
  });

  test('a server that accepts and never answers is reported, with how long it was silent', async () => {
    const requests: unknown[] = [];
    const silent = await ByteServer.start((request) => void requests.push(request.url));
    await expect(openAt(`${silent.origin}/model`, never, silenceMs)).rejects.toMatchObject({
      code: 'Http',
      message: /No answer from .*\/model: nothing came for 1 s.*stallTimeout/,
    });
    expect(requests).toEqual(['/model']);
    silent.close();
  });

  test('a server that stops answering in the middle is asked twice', async () => {
    let requests = 0;
    const silent = await ByteServer.start((_, response) => {
      if (requests++ > 0) {
        return;
      }
      response.writeHead(200, { 'content-length': testSize, etag: '"one"' });
      response.write(file.subarray(0, 1000), () => setTimeout(() => response.destroy(), 20));
    });
    await expect(readWhole(silent.origin, silenceMs)).rejects.toMatchObject({
      code: 'Http',
      message: /broke off after 1000 of 300000 bytes.*nothing came for 1 s/,
    });
    expect(requests).toBe(2);
    silent.close();
  });

  test.each([
    429, 503,
  ])('a request with status %d is made again, but not with 404', async (status) => {
    const busy = serve({ status: (n) => (n < 2 ? status : undefined) });
    expect((await readWhole(busy.url)).equals(file)).toBe(true);
    expect(busy.asked.map((request) => request.status).slice(0, 3)).toEqual([status, status, 206]);
    const gone = serve({ status: () => 404 });
    await expect(openAt(gone.url)).rejects.toMatchObject({ message: /404/ });
    expect(gone.asked).toHaveLength(1);
  });

  test('a file that changes between two ranges is rejected', async () => {
    const { url } = serve({
      etag: '"one"',
      content: (n) => contentOf(n === 0 ? file : new Uint8Array([...file, 1, 2, 3])),
    });
    const source = await openAt(url);
    await expect(source.read(100_000, 10)).rejects.toMatchObject({
      code: 'Mismatch',
      message: /changed at the server.*300000 bytes, now 300003/,
    });
  });

  test('a server that stops supporting ranges is reported', async () => {
    const { url } = serve({ etag: '"one"' });
    const source = await openAt(url);
    server.serve(new URL(url).pathname.slice(1), {
      content: contentOf(file),
      etag: '"one"',
      ranges: false,
    });
    await expect(source.read(100_000, 10)).rejects.toMatchObject({ message: /No range came/ });
  });
});
