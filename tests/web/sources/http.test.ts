// URLs against a real server that does what servers do.
import { describe, expect, test, vi } from 'vitest';
import { openHttp } from '../../../web/src/sources/http/http.ts';
import { contentOf } from '../support/servers/byte-server.ts';
import { gather, sampleBytes } from '../support/source-jobs.ts';
import {
  file,
  never,
  open,
  openAt,
  readWhole,
  serve,
  server,
  silenceMs,
  testSize,
} from './http-files.ts';

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
