// Bytes of two versions of a file are never joined: a server replaces the file during the download, or says too little
// or the wrong thing about the part that it sends.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { openHttp } from '../../../web/src/sources/http/http.ts';
import { ByteServer } from '../support/servers/byte-server.ts';
import { gather, quickRetries, runJob, sampleBytes } from '../support/source-jobs.ts';

const size = 300_000;
const dropAt = 100_000;
const before = sampleBytes(size);
const after = before.map((byte) => byte ^ 0x55);
const longAgo = 'Sat, 21 Nov 2020 10:00:00 GMT';

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly dropAfter?: number;
}

/** What the server does with each request; the last entry is for all further ones. */
let script: readonly Answer[] = [];
let asked: IncomingMessage['headers'][] = [];
const server = await ByteServer.start((request, response) => {
  const answer = script[Math.min(asked.push(request.headers), script.length) - 1] ?? {};
  send(answer, response);
});
afterAll(() => server.close());

function send(
  { status = 200, headers, body = after, dropAfter }: Answer,
  response: ServerResponse,
) {
  response.writeHead(status, { 'content-length': body.length, ...headers });
  if (dropAfter === undefined) {
    return void response.end(body);
  }
  response.write(body.subarray(0, dropAfter), () => setTimeout(() => response.destroy(), 20));
}

/** A long array that differs takes minutes to print. */
function versionOf(bytes: Buffer): string {
  return bytes.equals(before) ? 'before' : bytes.equals(after) ? 'after' : 'a mixture';
}

/** Downloads as a job does, and counts how often it starts. */
async function download(...answers: Answer[]): Promise<{ got: string; starts: number }> {
  script = answers;
  asked = [];
  const signal = new AbortController().signal;
  const retryPolicy = quickRetries();
  const open = () => openHttp(server.origin, { signal, retryPolicy });
  const { result, starts } = await runJob(open, async (source) =>
    gather(source.stream(0, await source.measure())),
  );
  return { got: versionOf(result), starts };
}

const one = { etag: '"one"' };
const two = { etag: '"two"' };
const range = (begin: number, end: number, total: number | '*' = size) => ({
  'content-range': `bytes ${begin}-${end - 1}/${total}`,
});
const rest = (bytes: Uint8Array, begin = dropAt) => bytes.subarray(begin);
const dropped = (headers: Answer['headers'] = one): Answer => ({
  headers: { ...headers },
  body: before,
  dropAfter: dropAt,
});

describe('after a drop', () => {
  test.each<[string, Answer, Answer['headers']?]>([
    [
      'another ETag',
      { status: 206, headers: { ...two, ...range(dropAt, size) }, body: rest(after) },
    ],
    [
      'another weak ETag',
      { status: 206, headers: { etag: 'W/"two"', ...range(dropAt, size) }, body: rest(after) },
      { etag: 'W/"one"' },
    ],
    [
      'another Last-Modified',
      {
        status: 206,
        headers: { 'last-modified': new Date(1e12).toUTCString(), ...range(dropAt, size) },
        body: rest(after),
      },
      { 'last-modified': longAgo },
    ],
    [
      'another Last-Modified beside the same weak ETag',
      {
        status: 206,
        headers: {
          etag: 'W/"one"',
          'last-modified': new Date(1e12).toUTCString(),
          ...range(dropAt, size),
        },
        body: rest(after),
      },
      { etag: 'W/"one"', 'last-modified': longAgo },
    ],
    [
      'another total size',
      { status: 206, headers: { ...one, ...range(dropAt, size, size + 1) }, body: rest(after) },
    ],
    [
      'another Content-Length',
      { headers: { ...one, 'content-length': `${size - 1}` }, body: after.subarray(1) },
    ],
    [
      'another file of the size so far',
      { status: 416, headers: { 'content-range': `bytes */${dropAt}` } },
    ],
  ])('%s starts the job again', async (_, answer, headers) => {
    const { got, starts } = await download(dropped(headers), answer, { headers: two });
    expect(got).toBe('after');
    expect(starts).toBe(2);
  });

  test.each<[string, Answer['headers']]>([
    ['no version', {}],
    ['a Last-Modified of this second', { 'last-modified': longAgo, date: longAgo }],
  ])('%s starts the job again, without a range', async (_, headers) => {
    const { got, starts } = await download(dropped(headers), { headers: { ...headers } });
    expect(got).toBe('after');
    expect(starts).toBe(2);
    expect(asked).toHaveLength(2);
  });

  test.each<[string, Answer]>([
    ['has another place', { status: 206, headers: { ...one, ...range(dropAt + 5, size) } }],
    ['has no Content-Range', { status: 206, headers: one }],
    ['has no version', { status: 206, headers: range(dropAt, size) }],
    [
      'has a range that contradicts itself',
      { status: 206, headers: { ...one, ...range(dropAt, 9) } },
    ],
    [
      'has several parts',
      {
        status: 206,
        headers: {
          ...one,
          ...range(dropAt, size),
          'content-type': 'multipart/byteranges; boundary=x',
        },
      },
    ],
    [
      'is compressed',
      {
        status: 206,
        headers: {
          ...one,
          ...range(dropAt, size),
          'content-encoding': 'gzip',
        },
        body: gzipSync(rest(after)),
      },
    ],
    [
      'is an end without a version',
      { status: 416, headers: { 'content-range': `bytes */${size}` } },
    ],
  ])('a part that %s is not used: the whole file is asked for', async (_, answer) => {
    const whole = { headers: one, body: before };
    const cut = { ...answer, body: answer.body ?? rest(after) };
    const { got, starts } = await download(dropped(), cut, whole);
    expect(got).toBe('before');
    expect(starts).toBe(1);
    expect(asked.map((headers) => headers.range !== undefined)).toEqual([true, true, false]);
    const replaced = await download(dropped(), cut, { headers: two });
    expect(replaced).toMatchObject({ got: 'after', starts: 2 });
  });

  test('a part that is shorter than wanted is continued', async () => {
    const parts = [dropAt, 200_000, size].map((begin, i, all) => ({
      status: 206,
      headers: { ...one, ...range(begin, all[i + 1] ?? size) },
      body: before.subarray(begin, all[i + 1]),
    }));
    const { got, starts } = await download(dropped(), ...parts);
    expect(got).toBe('before');
    expect(starts).toBe(1);
  });

  test('a part whose size was unknown so far ends where the file ends', async () => {
    const compressed = { ...one, 'content-encoding': 'gzip' };
    const packed = gzipSync(before, { level: 0 });
    const first = { headers: compressed, body: packed, dropAfter: 150_000 };
    const second = (begin: number, end: number) => ({
      status: 206,
      headers: { ...one, ...range(begin, end) },
      body: before.subarray(begin, end),
    });
    // The first part is the beginning of the rest only.
    script = [];
    const begin = (headers: IncomingMessage['headers'] | undefined) =>
      Number(/bytes=(\d+)-/.exec(headers?.range ?? '')?.[1]);
    const answers: Answer[] = [first];
    Object.defineProperty(answers, 1, { get: () => second(begin(asked[1]), 200_000) });
    Object.defineProperty(answers, 2, { get: () => second(begin(asked[2]), size) });
    const signal = new AbortController().signal;
    asked = [];
    script = answers;
    const source = await openHttp(server.origin, { signal, retryPolicy: quickRetries() });
    expect(versionOf(await gather(source.stream(0, size)))).toBe('before');
    expect(asked).toHaveLength(3);
  });

  test('a part that is longer than it says is refused', async () => {
    const headers = { ...one, ...range(dropAt, 200_000) };
    const long = { status: 206, headers, body: rest(before) };
    await expect(download(dropped(), long)).rejects.toMatchObject({ code: 'Http' });
  });

  test('If-Range has a strong ETag only', async () => {
    const part = { status: 206, headers: range(dropAt, size), body: rest(before) };
    const end = async (headers: Record<string, string>) => {
      await download(dropped(headers), { ...part, headers: { ...part.headers, ...headers } });
      return asked.at(-1)?.['if-range'];
    };
    expect(await end(one)).toBe('"one"');
    expect(await end({ etag: 'W/"one"' })).toBeUndefined();
    expect(await end({ 'last-modified': longAgo })).toBeUndefined();
  });
});

describe('a file that is read by range', () => {
  const headEnd = 65_536;
  const head: Answer = {
    status: 206,
    headers: range(0, headEnd),
    body: before.subarray(0, headEnd),
  };
  const part = (headers: Answer['headers'], bytes: Uint8Array): Answer => ({
    status: 206,
    headers: { ...range(headEnd, size), ...headers },
    body: rest(bytes, headEnd),
  });

  test('is read in one pass if the server names no version', async () => {
    const { got, starts } = await download(head, { body: before });
    expect({ got, starts }).toEqual({ got: 'before', starts: 1 });
    expect(asked.map((headers) => headers.range)).toEqual(['bytes=0-65535', undefined]);
  });

  test.each<[string, Answer['headers']]>([
    ['another version', two],
    ['no version', {}],
    ['another place', { ...one, ...range(headEnd + 1, size) }],
    ['another total size', { ...one, ...range(headEnd, size, size + 1) }],
    ['a total size that is no number', { ...one, 'content-range': 'bytes 65536-299999/x' }],
  ])('is not joined with a part of %s', async (_, headers) => {
    const first = { ...head, headers: { ...head.headers, ...one } };
    const bad = part(headers, after);
    const { got, starts } = await download(first, bad, { headers: two });
    expect(got).toBe('after');
    expect(starts).toBe(2);
    await expect(download(first, bad, first, bad, first, bad, first, bad)).rejects.toMatchObject({
      code: 'Mismatch',
    });
  });
});
