// Range mode, by what a server was asked for.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Progress, WordVectors } from '../../../web/src/index.ts';
import { sparseWords, unitRow, wordFile } from '../support/files/word-files.ts';
import { openWords } from '../support/open-kinds.ts';
import { ambry } from '../support/package.ts';
import {
  ByteServer,
  contentOf,
  type Manners,
  type Served,
} from '../support/servers/byte-server.ts';

const count = 100_000;
const testDim = 2600;
const rowBytes = testDim * 4;

let server: ByteServer;
beforeAll(async () => {
  server = await ByteServer.start();
});
afterAll(() => server.close());

function openRange(served: Served): Promise<WordVectors> {
  return ambry.open(served.url, { mode: 'range' });
}

describe('a file of a gigabyte', () => {
  const content = sparseWords(count, testDim);
  let served: Served;
  let model: WordVectors;
  beforeAll(async () => {
    served = server.serve('huge.fifu', { content, etag: '"1"' });
    model = await openRange(served);
  });
  afterAll(() => model.dispose());

  test('downloads only the vocabulary and the norms', () => {
    expect(content.size).toBeGreaterThan(1_000_000_000);
    expect(model.info.words).toMatchObject({ size: count, dim: testDim, hasNorms: true });
    // The vocabulary, the norms of 4 bytes a word, and what was read ahead.
    expect(served.sent()).toBeLessThan(content.rowsAt + count * 4 + 300_000);
    expect(served.asked.length).toBeLessThan(12);
  });

  test('sends at most one request per word, for its row only', async () => {
    const [before, sentBefore] = [served.asked.length, served.sent()];
    const asked = Array.from({ length: 100 }, (_, i) => (i * 7919 + 5) % count);
    for (const i of asked.slice(0, 50)) {
      const vector = await model.vector(`w${i}`);
      expect(vector?.[i % testDim]).toBe(1);
    }
    const rest = asked.slice(50);
    const { vectors, norms } = await model.vectors(rest.map((i) => `w${i}`));
    rest.forEach((i, row) => {
      expect(vectors[row * testDim + (i % testDim)]).toBe(1);
      expect(norms[row]).toBe(2);
    });
    expect(served.asked.length - before).toBeLessThanOrEqual(100);
    expect(served.sent() - sentBefore).toBeLessThanOrEqual(100 * rowBytes);
  });

  test('caches rows, and fetches neighbouring rows together', async () => {
    const list = Array.from({ length: 40 }, (_, i) => `w${60_000 + i}`);
    const before = served.asked.length;
    await model.vectors(list);
    expect(served.asked.length - before).toBe(1);
    await model.vectors(list);
    await model.vector('w60007');
    expect(served.asked.length - before).toBe(1);
  });

  test('does not support searches', async () => {
    await expect(model.similar('w1')).rejects.toMatchObject({ code: 'Unsupported' });
  });

  test('stops reading after an abort', async () => {
    const before = served.asked.length;
    const controller = new AbortController();
    controller.abort();
    await expect(model.vector('w77', { signal: controller.signal })).rejects.toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    );
    expect(served.asked.length).toBe(before);
    expect(await model.vector('w77')).not.toBeNull();
  });
});

const small = wordFile({
  words: Array.from({ length: 30_000 }, (_, i) => `w${i}`),
  dim: 32,
  row: (i) => unitRow(i, 32),
});

describe('a server', () => {
  async function refusal(manners: Omit<Manners, 'content'>) {
    const served = server.serve('other.fifu', {
      content: contentOf(small),
      etag: '"1"',
      ...manners,
    });
    return ambry.open(served.url, { mode: 'range' }).then(
      () => undefined,
      (error: unknown) => error,
    );
  }

  test('without range requests is rejected', async () => {
    expect(await refusal({ ranges: false })).toMatchObject({
      code: 'Unsupported',
      path: 'options.mode',
      message: expect.stringContaining('/other.fifu'),
    });
  });

  test.each([
    ['', { etag: '' }],
    [
      ' in Last-Modified that is younger than a second',
      { lastModified: new Date(Date.now() + 9e6).toUTCString() },
    ],
  ])('without a version%s is rejected', async (_, manners) => {
    expect(await refusal({ etag: '', ...manners })).toMatchObject({
      code: 'Unsupported',
      path: 'options.mode',
      message: expect.stringMatching(/a version.*open the file whole/i),
    });
  });

  test('without the file gives an Http error', async () => {
    expect(await refusal({ status: () => 404 })).toMatchObject({ code: 'Http' });
  });

  test('with a changed file gives an error', async () => {
    let version = '"1"';
    const served = server.serve('changing.fifu', {
      content: contentOf(small),
      etag: () => version,
    });
    const model = await openRange(served);
    expect(await model.vector('w9000')).not.toBeNull();
    version = '"2"';
    await expect(model.vector('w29000')).rejects.toMatchObject({
      code: 'Mismatch',
      message: expect.stringContaining('changed'),
    });
    await model.dispose();
  });

  test('that stalls can be aborted', async () => {
    let isOpen = false;
    const served = server.serve('stalling.fifu', {
      content: contentOf(small),
      etag: '"1"',
      stallAfter: () => (isOpen ? 1 : undefined),
    });
    const model = await openRange(served);
    isOpen = true;
    const controller = new AbortController();
    const waiting = model.vector('w20000', { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    await model.dispose();
  });
});

test('the cache stores the vocabulary, and a download continues from it', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'ambry-range-'));
  const cache = { directory };
  const content = sparseWords(60_000, 40);
  const served = server.serve('kept.fifu', { content, etag: '"k"' });
  const open = async () => {
    await using model = await ambry.open(served.url, { mode: 'range', cache });
    expect((await model?.vector('w50001'))?.[50_001 % 40]).toBe(1);
  };
  await open();
  const [kept] = await ambry.cache.list({ directory });
  expect(kept).toMatchObject({ url: served.url, complete: false });
  expect(kept?.bytes).toBeGreaterThanOrEqual(content.rowsAt);
  const first = served.sent();
  expect(first).toBeGreaterThan(content.rowsAt);
  await open();
  // The head that says which version it is, and the norms behind the rows.
  expect(served.sent() - first).toBeLessThan(64 * 1024 + 60_000 * 4 + 10_000);
  const before = served.sent();
  await using whole = await openWords(served.url, { cache });
  expect(whole.size).toBe(60_000);
  expect(served.sent() - before).toBeLessThanOrEqual(content.size - content.rowsAt + 1000);
  await rm(directory, { recursive: true });
});

test('range mode rejects a stream, and accepts a blob', async () => {
  const blob = new Blob([small]);
  await expect(ambry.open(blob.stream(), { mode: 'range' })).rejects.toMatchObject({
    code: 'Unsupported',
    path: 'options.mode',
  });
  await using model = await ambry.open(blob, { mode: 'range' });
  expect(await model?.vector('w5')).toHaveLength(32);
});

test('queries over quantized vectors download the codes only', async () => {
  const { blob } = await ambry.quantize(new Blob([small]), {
    type: 'pq',
    iterations: 2,
    subquantizers: 4,
    bits: 4,
  });
  const bytes = new Uint8Array(await (blob as Blob).arrayBuffer());
  const served = server.serve('pq.fifu', { content: contentOf(bytes), etag: '"q"' });
  const model = await openRange(served);
  const opened = served.sent();
  await using whole = await openWords(bytes);
  const read: number[] = [];
  const onProgress = ({ loaded }: Progress) => read.push(loaded);
  expect(await model.similar('w100', { k: 20, onProgress })).toEqual(
    await whole?.similar('w100', { k: 20 }),
  );
  expect(read.at(-1)).toBeGreaterThanOrEqual(30_000 * 4);
  // A code of 4 bytes a word.
  expect(served.sent() - opened).toBeLessThanOrEqual(30_000 * 4);
  const after = served.sent();
  expect(await model.vector('w12345')).toEqual(await whole?.vector('w12345'));
  expect(served.sent()).toBe(after);
  await model.dispose();
});
