// Connections that break, fall silent, or lead to a file that has changed.
import { describe, expect, test } from 'vitest';
import { RetryPolicy } from '../../../web/src/sources/base/retry-policy.ts';
import { MustRestart } from '../../../web/src/sources/http/error.ts';
import { openHttp } from '../../../web/src/sources/http/http.ts';
import { ByteServer, contentOf } from '../support/servers/byte-server.ts';
import { gather } from '../support/source-jobs.ts';
import {
  file,
  longAgo,
  never,
  openAt,
  readWhole,
  serve,
  server,
  silenceMs,
  testSize,
} from './http-files.ts';

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
