// URLs against a real server that does what servers do.
import { describe, expect, test } from 'vitest';
import { openHttp } from '../../../web/src/source/http.ts';
import { startServer } from '../support/server.ts';

const kSize = 300_000;
const file = Uint8Array.from({ length: kSize }, (_, i) => (i * 31 + (i >> 8)) & 0xff);
const server = await startServer(file);
const never = new AbortController().signal;

async function gather(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk.slice());
  return Buffer.concat(parts);
}

const open = (behaviour: Parameters<typeof server.url>[0], signal = never) =>
  openHttp(server.url(behaviour), { signal });

describe('openHttp', () => {
  test.each([
    ['ranges', true],
    ['hidden-content-range', false],
    ['plain', false],
    ['no-length', true],
    ['gzip', true],
  ] as const)('a server with %s gives the whole file', async (behaviour, seekable) => {
    const source = await open(behaviour);
    expect(source.size).toBe(kSize);
    expect(source.seekable).toBe(seekable);
    expect(source.phase).toBe('download');
    expect(await source.read(100_000, 10)).toEqual(file.subarray(100_000, 100_010));
    expect(await source.read(5, 10)).toEqual(file.subarray(5, 15));
    const streamed = await gather(source.stream(50, kSize));
    expect(streamed.equals(file.subarray(50))).toBe(true);
    await source.close();
  });

  test('a plain answer is asked for once, and its head is not thrown away', async () => {
    server.requests.length = 0;
    const source = await open('plain');
    await source.read(0, 1000);
    await gather(source.stream(0, kSize));
    expect(server.requests).toEqual(['GET plain bytes=0-65535']);
  });

  test('ranges are asked for by what is wanted, beyond the head', async () => {
    server.requests.length = 0;
    const source = await open('ranges');
    await source.read(0, 60_000);
    await source.read(200_000, 100);
    expect(server.requests).toEqual(['GET ranges bytes=0-65535', 'GET ranges bytes=200000-200099']);
  });

  test('leaving early closes the connection', async () => {
    const before = server.aborted;
    const source = await open('stall');
    await source.read(0, 100);
    await source.close();
    await expect.poll(() => server.aborted).toBe(before + 1);
  });

  test('an empty file is empty', async () => {
    const source = await open('empty');
    expect(source.size).toBe(0);
  });

  test.each([
    ['html', /web page.*html.*200.*text\/html/is],
    ['missing', /missing answered 404 .*text\/html/],
  ] as const)('%s is told as such', async (behaviour, message) => {
    await expect(open(behaviour)).rejects.toMatchObject({ code: 'Http', message });
  });

  test('a dropped connection says how far it came', async () => {
    const source = await open('drop');
    const all = gather(source.stream(0, kSize));
    await expect(all).rejects.toMatchObject({
      code: 'Http',
      message: /broke off after 150000 of 300000 bytes.*\/drop/,
    });
  });

  test('a dropped range says how far it came', async () => {
    const source = await open('drop-range');
    const all = gather(source.stream(0, kSize));
    await expect(all).rejects.toMatchObject({
      code: 'Http',
      message: /broke off after \d+ of 300000/,
    });
  });

  test('a file that changes between two ranges is refused', async () => {
    const source = await open('changing');
    await expect(source.read(100_000, 10)).rejects.toMatchObject({
      code: 'Http',
      message: /changed at the server.*300000 bytes, now 300007/,
    });
  });

  test('a server that is not there', async () => {
    const closed = 'http://127.0.0.1:9/model.weights';
    await expect(openHttp(closed, { signal: never })).rejects.toMatchObject({
      code: 'Http',
      message: /No answer from http:\/\/127\.0\.0\.1:9/,
    });
  });

  test('an abort ends a download that stalls', async () => {
    const controller = new AbortController();
    const source = await open('stall', controller.signal);
    const before = server.aborted;
    const all = gather(source.stream(0, kSize));
    setTimeout(() => controller.abort(), 20);
    await expect(all).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(() => server.aborted).toBe(before + 1);
  });

  test('spooling reports what came in', async () => {
    const seen: number[] = [];
    await openHttp(server.url('no-length'), {
      signal: never,
      onSpool: (bytes) => seen.push(bytes),
    });
    expect(seen.at(-1)).toBe(kSize);
  });
});
