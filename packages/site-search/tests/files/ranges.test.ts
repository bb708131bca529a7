// Hosts that answer range requests, that do so in part, that do not, and that only seem to: each gives the same answers.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answerTo, type RangeSupport } from '../../../../tests/support/range-answers.ts';
import type { FetchInit } from '../../src/client/base/types.ts';
import { hasRange, KeptPieces } from '../../src/client/files/kept-pieces.ts';
import {
  bytesOf,
  piecesOf,
  rangeHeader,
  rangeModes,
  requestsFor,
} from '../../src/client/files/ranges.ts';
import { SiteFiles } from '../../src/client/files/site-files.ts';
import { openSiteSearch } from '../../src/index.ts';
import { makeSite, page, serveSite, writePages } from '../support/site.ts';

const things = ['lamp', 'boat', 'rope', 'shell', 'gull', 'mast', 'oar', 'sail', 'net', 'buoy'];
const pages = Object.fromEntries(
  Array.from({ length: 120 }, (_, i) => {
    const own = things[i % 10];
    const other = things[Math.floor(i / 7) % 10];
    const text = `The ${own} of keeper ${i} is at sea with a ${other}. `.repeat(1 + (i % 5));
    return [`${i}.html`, page(`Page ${i} on ${own}`, `<h1>Page ${i}</h1><p>${text}</p>`)];
  }),
);
const queries = ['gull', 'keeper 77', 'rope and boat ', 'boa', 'shells'];

async function answersOn(folder: string, ranges?: RangeSupport) {
  const server = await serveSite(folder, 'search/', ranges);
  const search = await openSiteSearch(server.url, { model: false, site: 'http://site.example/' });
  const found = [];
  let first = 0;
  for (const query of queries) {
    found.push(await search.search(query));
    first ||= server.requests.length;
  }
  return { found, first, server };
}

describe('a host', () => {
  test('that answers with one range or several gives the answers of one that does not', async () => {
    const { folder } = await makeSite(pages);
    const whole = await answersOn(folder);
    const one = await answersOn(folder, 'one');
    const several = await answersOn(folder, 'several');
    expect(whole.found.every(({ state }) => state === 'found')).toBe(true);
    expect(one.found.map((answer) => answer.pages.map(({ title }) => title))).toEqual(
      whole.found.map((answer) => answer.pages.map(({ title }) => title)),
    );
    expect(several.found).toEqual(one.found);
    const isLong = ({ path }: { path: string }) => path.includes('all-');
    expect(whole.server.requests.filter(isLong)).toEqual([]);
    expect(one.server.requests.some(isLong)).toBe(true);
    const isPack = ({ path }: { path: string }) => /\/(words|texts)\/[^/]+\/\d+\.bin/.test(path);
    expect(several.server.requests.filter(isPack)).toEqual([]);
    // The manifest, the start file, the question whether it does, words and texts.
    expect(several.first).toBeLessThanOrEqual(8);
  });

  test.each([
    // What one range has of the words is all that this site has, and it is kept.
    ['one', []],
    ['several', ['gull']],
  ] as const)('with ranges (%s) that has a new index gives answers from it', async (ranges, before) => {
    const { folder, rebuild } = await makeSite(pages);
    const server = await serveSite(folder, 'search/', ranges);
    const search = await openSiteSearch(server.url, { model: false });
    for (const query of before) {
      await search.search(query);
    }
    writePages(folder, { 'new.html': page('New', '<p>The gull has a whistle.</p>') });
    await rebuild();
    const { pages: found } = await search.search('whistle');
    expect(found.map(({ title }) => title)).toEqual(['New']);
  });

  test('is asked nothing if the index has no long files', async () => {
    const { folder } = await makeSite(pages, { ranges: false });
    const { found, server } = await answersOn(folder, 'several');
    expect(found.every(({ state }) => state === 'found')).toBe(true);
    expect(server.requests.filter(({ path }) => /ranges\.bin|all-/.test(path))).toEqual([]);
  });

  test.each([
    ['answers with the whole file', (file: Buffer) => new Response(new Uint8Array(file))],
    ['says that there is no such range', () => new Response(null, { status: 416 })],
    ['sends another range', (file: Buffer) => pieceOf(file, 'bytes 5-8/99')],
    ['sends no range', (file: Buffer) => pieceOf(file, '')],
    ['sends a range that is too short', (file: Buffer) => pieceOf(file, 'bytes 0-3/99')],
    ['forbids it', () => new Response(null, { status: 403 })],
    ['sends bytes of something else', (file: Buffer, range?: string) => shifted(file, range)],
    ['sends a piece of a packed file', (file: Buffer, range?: string) => packedPiece(file, range)],
  ])('that seems to, and then %s, gives packs', async (_, answer) => {
    const { folder, out } = await makeSite(pages);
    const asked: string[] = [];
    const fetch = async (path: string, { headers }: FetchInit) => {
      asked.push(path);
      const file = await readFile(join(out, path));
      if (path.includes('all-')) {
        return answer(file, headers?.range);
      }
      const made = answerTo(file, headers?.range, 'several');
      return new Response(new Uint8Array(made.bytes), made);
    };
    const site = { site: 'http://site.example/', model: false } as const;
    const search = await openSiteSearch({ fetch }, site);
    const whole = await answersOn(folder);
    const found = await search.search(queries[0] ?? '');
    expect(found.pages.map(({ title }) => title)).toEqual(
      whole.found[0]?.pages.map(({ title }) => title),
    );
    // Long files are tried with several ranges and with one, and not again.
    const before = asked.filter((path) => path.includes('all-')).length;
    await search.search(queries[1] ?? '');
    expect(asked.filter((path) => path.includes('all-'))).toHaveLength(before);
  });

  test.each([
    ['is busy', () => new Response('later', { status: 503 })],
    ['wants fewer requests', () => new Response(null, { status: 429 })],
    ['ends in the middle', () => new Response(broken(), { status: 206 })],
  ])('with ranges that once %s gives packs, and ranges again', async (_, answer) => {
    const { out } = await makeSite(pages);
    const asked: string[] = [];
    let isBusy = true;
    const fetch = async (path: string, { headers }: FetchInit) => {
      asked.push(path);
      if (isBusy && path.includes('all-')) {
        return answer();
      }
      const made = answerTo(await readFile(join(out, path)), headers?.range, 'several');
      return new Response(new Uint8Array(made.bytes), made);
    };
    const site = { site: 'http://site.example/', model: false } as const;
    const search = await openSiteSearch({ fetch }, site);
    expect((await search.search('gull')).state).toBe('found');
    const isPack = (path: string) => /\/\d+\.bin$/.test(path);
    expect(asked.some(isPack)).toBe(true);
    isBusy = false;
    asked.length = 0;
    expect((await search.search('keeper 77')).state).toBe('found');
    expect(asked.some((path) => path.includes('all-'))).toBe(true);
    expect(asked.filter(isPack)).toEqual([]);
  });

  test('whose whole files are cut at other places is asked for the manifest, and then tells what is wrong', async () => {
    const { out } = await makeSite(pages);
    const fetch = async (path: string, { headers }: FetchInit) => {
      const file = await readFile(join(out, path));
      const isChunk = /^(texts|words)\//.test(path);
      return isChunk
        ? shifted(file, headers?.range)
        : new Response(new Uint8Array(answerTo(file, headers?.range, 'one').bytes), {
            headers: { 'accept-ranges': 'bytes' },
          });
    };
    const site = { site: 'http://site.example/', model: false } as const;
    const search = await openSiteSearch({ fetch }, site);
    await expect(search.search('gull')).rejects.toMatchObject({
      name: 'AmbryError',
      code: 'Mismatch',
      path: expect.stringMatching(/^words\/.*\d\.bin$/),
    });
  });
});

function pieceOf(file: Buffer, range: string): Response {
  const headers = range === '' ? {} : { 'content-range': range };
  return new Response(new Uint8Array(file.subarray(0, 4)), { status: 206, headers });
}

/** The range that it says, with the bytes of another place. */
function shifted(file: Buffer, range = 'bytes=0-99999999'): Response {
  const other = Buffer.concat([file.subarray(64), file.subarray(0, 64)]);
  const { status, headers, bytes } = answerTo(other, range, 'several');
  return new Response(new Uint8Array(bytes), { status, headers });
}

/** Clients cannot unpack a piece from the middle. */
function packedPiece(file: Buffer, range?: string): Response {
  const { status, headers } = answerTo(file, range, 'several');
  return new Response(broken(), { status, headers: { ...headers, 'content-encoding': 'gzip' } });
}

const broken = () =>
  new ReadableStream<Uint8Array>({
    start: (to) => to.error(new TypeError('incorrect header check')),
  });

describe('what lies between ranges', () => {
  const piece = (from: number, length: number) => ({ from, bytes: new Uint8Array(length) });

  test('is kept for the next search', () => {
    const kept = new KeptPieces();
    kept.add('a', [piece(100, 50), piece(400, 10)]);
    kept.add('b', [piece(0, 10)]);
    const has = (path: string, range: readonly [number, number]) => hasRange(kept.of(path), range);
    expect(has('a', [110, 150])).toBe(true);
    expect(has('a', [110, 151])).toBe(false);
    expect(has('a', [0, 10])).toBe(false);
    expect(has('b', [0, 10])).toBe(true);
    kept.clear();
    expect(has('b', [0, 10])).toBe(false);
  });

  test('is kept up to 4 MB, the newest', () => {
    const kept = new KeptPieces();
    for (let i = 0; i < 10; i++) {
      kept.add('a', [piece(i * 1024 * 1024, 1024 * 1024)]);
    }
    expect(kept.of('a').map(({ from }) => from / 1024 / 1024)).toEqual([6, 7, 8, 9]);
  });

  test('is not asked for again on a host with single ranges', async () => {
    const file = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    const asked: (string | undefined)[] = [];
    const fetch = async (_: string, { headers }: FetchInit) => {
      asked.push(headers?.range);
      const made = answerTo(file, headers?.range, 'one');
      return new Response(new Uint8Array(made.bytes), made);
    };
    const files = new SiteFiles({ fetch }, 1000);
    expect(await files.rangeMode()).toBe(rangeModes.one);
    const first = await files.ranges(
      'f',
      [
        [0, 8],
        [100, 108],
      ],
      false,
    );
    const second = await files.ranges(
      'f',
      [
        [50, 52],
        [200, 202],
      ],
      false,
    );
    expect(first?.map((bytes) => bytes[0])).toEqual([0, 100]);
    expect(second?.map((bytes) => bytes[0])).toEqual([50, 200]);
    expect(asked.slice(1)).toEqual(['bytes=0-107', 'bytes=200-201']);
  });
});

describe('ranges', () => {
  test('of one request are those that are far from each other', () => {
    const wanted = [
      [1000, 1064],
      [0, 64],
      [64, 128],
      [200, 264],
    ] as const;
    expect(requestsFor(wanted, rangeModes.several)).toEqual([
      [
        [0, 264],
        [1000, 1064],
      ],
    ]);
    expect(requestsFor(wanted, rangeModes.one)).toEqual([[[0, 1064]]]);
    expect(
      rangeHeader([
        [0, 264],
        [1000, 1064],
      ]),
    ).toBe('bytes=0-263,1000-1063');
  });

  test('are put together while they have little between them', () => {
    const at = (step: number) =>
      Array.from({ length: 12 }, (_, i) => [i * step, i * step + 64] as const);
    expect(requestsFor(at(1500), rangeModes.one).length).toBeLessThanOrEqual(4);
    expect(requestsFor(at(1_000_000), rangeModes.one)).toHaveLength(12);
  });

  test('of an answer that is cut or says nonsense are none', async () => {
    const file = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    const wanted = [
      [0, 8],
      [200, 208],
    ] as const;
    const { headers, bytes } = answerTo(file, rangeHeader(wanted), 'several');
    const read = async (body: Uint8Array<ArrayBuffer>) =>
      bytesOf(wanted, await piecesOf(new Response(body, { status: 206, headers }), wanted, 'f'));
    const right = await read(new Uint8Array(bytes));
    expect(right?.map((one) => [...one])).toEqual([
      [...file.subarray(0, 8)],
      [...file.subarray(200, 208)],
    ]);
    const end = bytes.lastIndexOf('\r\n--mark--');
    for (let length = 0; length < end; length++) {
      expect(await read(new Uint8Array(bytes.subarray(0, length)))).toBeUndefined();
    }
    const text = bytes.toString('latin1');
    for (const nonsense of [
      'bytes 9-1/9',
      'bytes 0-99999999999/9',
      'bytes -1-3/9',
      'items 0-7/9',
    ]) {
      const changed = text.replace('bytes 0-7/256', nonsense);
      expect(await read(new Uint8Array(Buffer.from(changed, 'latin1')))).toBeUndefined();
    }
  });

  test('of an answer that never ends are refused', async () => {
    const body = new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(65_536)) });
    const response = new Response(body, { status: 206 });
    await expect(piecesOf(response, [[0, 64]], 'f')).rejects.toMatchObject({
      code: 'LimitExceeded',
    });
  });
});
