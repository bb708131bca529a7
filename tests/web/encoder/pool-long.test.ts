// Several workers that embed side by side: the same rows as from one worker, errors, aborts, crashes, and when workers end.
// The caller's side comes from the sources, so that the tests can look into its pools; the workers are the package's.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { poolOf, WorkerPool } from '../../../web/src/encoder/pool/pool.ts';
import type { PoolCalls } from '../../../web/src/encoder/pool/protocol.ts';
import { WorkQueue } from '../../../web/src/encoder/pool/work-queue.ts';
import type { Encoder, Progress, WordVectors } from '../../../web/src/index.ts';
import * as ambry from '../../../web/src/node.ts';
import type { Channel } from '../../../web/src/rpc/channel.ts';
import { wordFile } from '../support/files/word-files.ts';
import { type OwnWorkers, ownWorkers } from '../support/own-workers.ts';
import { smallModel } from '../support/package.ts';

// The package's sources, whose worker pools the tests look into.
const openEncoder = (source: Uint8Array<ArrayBuffer>, options: ambry.OpenOptions) =>
  ambry.open(source, { ...options, kind: 'encoder' });
const openWords = (source: Uint8Array<ArrayBuffer>, options: ambry.OpenOptions) =>
  ambry.open(source, { ...options, kind: 'words' });

const testWasm = new URL('../../../packages/whole/wasm/ambry-relaxed.wasm', import.meta.url);
const file = await smallModel();
const testWords = ['the', 'cat', 'sat', 'on', 'a', 'mat', 'dog', 'ran', 'home'];
const testTexts = Array.from({ length: 300 }, (_, i) =>
  Array.from({ length: 1 + (i % 20) }, (_, j) => testWords[(i * 7 + j * j) % 9]).join(' '),
);

/** Waits until so many more workers are ready. Jobs begin without them. */
async function haveMembers(model: Encoder, count: number): Promise<void> {
  const pool = poolOf(model);
  await Promise.all(pool.enter(count));
  pool.leave();
}

/** Enough to be interrupted. */
const testMany = Array.from({ length: 20_000 }, () => 'the cat sat on the mat '.repeat(4));

function expectNear(a: Float32Array, b: Float32Array): void {
  expect(a.length).toBe(b.length);
  const most = a.reduce((far, x, i) => Math.max(far, Math.abs(x - (b[i] as number))), 0);
  expect(most).toBeLessThan(1e-6);
}

function expectAllNear(some: readonly Float32Array[], others: readonly Float32Array[]): void {
  expect(some).toHaveLength(others.length);
  some.forEach((vector, i) => {
    expectNear(vector, others[i] as Float32Array);
  });
}

describe('items', () => {
  test.each([
    [1, 1],
    [7, 2],
    [300, 2],
    [5000, 3],
  ])('of %i texts for %i workers are all of them, in order, and end small', (count, workers) => {
    const texts = Array.from({ length: count }, (_, i) => 'x'.repeat((i * 37) % 500));
    const shares = new WorkQueue(texts, workers);
    const sizes: number[] = [];
    let at = 0;
    for (let share = shares.next(); share; share = shares.next()) {
      expect(share.begin).toBe(at);
      sizes.push(share.end - share.begin);
      at = share.end;
    }
    expect(at).toBe(count);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(128);
    expect(sizes.at(-1)).toBeLessThanOrEqual(16);
  });

  test('weigh texts by their length', () => {
    const texts = [...Array.from({ length: 64 }, () => 'x'.repeat(1000)), ...Array(64).fill('x')];
    const first = new WorkQueue(texts, 2).next();
    expect(first?.end).toBeLessThan(32);
  });
});

/** Memory is shared unless the caller brings WebAssembly. */
const forms: readonly (readonly [string, ambry.OpenOptions, boolean])[] = [
  ['over one memory', {}, true],
  ['over one memory, with the same bits everywhere', { deterministic: true }, true],
  ['over copies', { wasmModule: await WebAssembly.compile(await readFile(testWasm)) }, false],
];

describe.each(forms)('%s', (_, options, isShared) => {
  async function use(
    body: (model: Encoder, workers: OwnWorkers) => Promise<void>,
    atStart?: Parameters<typeof ownWorkers>[0],
  ): Promise<void> {
    const workers = ownWorkers(atStart);
    const model = await openEncoder(file, { ...options, createWorker: workers.createWorker });
    try {
      await body(model, workers);
    } finally {
      await model.dispose();
    }
  }

  test('that is how they work', () =>
    use(async (model) => {
      const channel = model.connection.channel as unknown as Channel<PoolCalls>;
      const { memory } = await channel.call('lendEncoder', null);
      expect('shared' in memory).toBe(isShared);
      if ('shared' in memory) {
        expect(memory.shared.buffer).toBeInstanceOf(SharedArrayBuffer);
        expect(await channel.call('freeStack', memory.stack)).toBeNull();
      }
      expect(await model.embed('cat')).toHaveLength(model.dim);
    }));

  test('jobs at the same time give the same rows', () =>
    use(async (model) => {
      const one = await model.embed(testTexts);
      for (let round = 0; round < 5; round++) {
        const many = [1, 3, 2, 1].map((workers) => model.embed(testTexts, { workers }));
        for (const rows of await Promise.all(many)) {
          expectAllNear(rows, one);
        }
      }
    }));

  test('tokenizing and embedding at the same time give the same answers', () =>
    use(async (model) => {
      const rows = await model.embed(testTexts);
      const tokens = await Promise.all(testTexts.map((text) => model.tokenize(text)));
      const embedding = model.embed(testTexts, { workers: 3 });
      expect(await Promise.all(testTexts.map((text) => model.tokenize(text)))).toEqual(tokens);
      expectAllNear(await embedding, rows);
    }));

  describe('several workers', () => {
    test('give the rows that one gives', () =>
      use(async (model, { started }) => {
        const one = await model.embed(testTexts);
        expect(started).toHaveLength(1);
        expectAllNear(await model.embed(testTexts, { workers: 3 }), one);
        await haveMembers(model, 2);
        expectAllNear(await model.embed(testTexts, { workers: 3 }), one);
        expect(started).toHaveLength(3);
      }));

    test('give the tokens of each text', () =>
      use(async (model) => {
        const one = await model.embed(testTexts, { pooling: 'none' });
        const two = await model.embed(testTexts, { pooling: 'none', workers: 2 });
        expect(two.map((rows) => rows.length)).toEqual(one.map((rows) => rows.length));
        for (const i of [0, 150, 299]) {
          expectNear(two[i] as Float32Array, one[i] as Float32Array);
        }
      }));

    test('are not started for a few texts', () =>
      use(async (model, { started }) => {
        expect(await model.embed([], { workers: 4 })).toEqual([]);
        expectNear(await model.embed('cat', { workers: 4 }), await model.embed('cat'));
        expect(started).toHaveLength(1);
      }));

    test('report one progress that never goes back', () =>
      use(async (model) => {
        const seen: Progress[] = [];
        await model.embed(testTexts, { workers: 2, onProgress: (progress) => seen.push(progress) });
        const loaded = seen.map((progress) => progress.loaded);
        expect(loaded).toEqual(loaded.toSorted((a, b) => a - b));
        expect(seen.at(-1)).toMatchObject({ phase: 'embed', loaded: 300, total: 300 });
      }));

    test('make an index that answers as that of one does', () =>
      use(async (model) => {
        const docs = testTexts.map((text) => ({ text }));
        await using one = await ambry.createIndex(model, docs);
        await using two = await ambry.createIndex(model, docs, { workers: 2 });
        const texts = async (index: typeof one) =>
          (await index.search('the dog', { k: 20 })).map(({ id }) => id);
        expect(await texts(two)).toEqual(await texts(one));
      }));

    test('are a whole number of them, and not too many', () =>
      use(async (model) => {
        const refused = { code: 'BadValue', path: 'workers' };
        for (const workers of [0, -1, 1.5, 65, Number.NaN]) {
          await expect(model.embed('cat', { workers })).rejects.toMatchObject(refused);
        }
        const indexing = ambry.createIndex(model, [{ text: 'cat' }], { workers: 0 });
        await expect(indexing).rejects.toMatchObject(refused);
      }));
  });

  describe('what goes wrong in one of them', () => {
    test('ends the job: a text that is too long is named by its place', () =>
      use(async (model) => {
        const texts = testTexts.with(250, 'cat '.repeat(100));
        await expect(model.embed(texts, { workers: 2, truncate: 'error' })).rejects.toMatchObject({
          code: 'LimitExceeded',
          path: 'texts[250]',
        });
        expect(await model.embed(testTexts, { workers: 2 })).toHaveLength(300);
      }));

    test('ends the job: an abort', () =>
      use(async (model) => {
        const controller = new AbortController();
        const { signal } = controller;
        const onProgress = () => controller.abort();
        const embedding = model.embed(testMany, { workers: 2, signal, onProgress });
        await expect(embedding).rejects.toMatchObject({ name: 'AbortError' });
        await expect(model.embed(testMany, { workers: 2, signal })).rejects.toMatchObject({
          name: 'AbortError',
        });
        expect(await model.embed('cat', { workers: 2 })).toHaveLength(model.dim);
      }));

    test('ends the job: a crash, which leaves the others alive and is made good at the next job', () =>
      use(async (model, { started }) => {
        await haveMembers(model, 2);
        const onProgress = () => void started[2]?.terminate();
        const embedding = model.embed(testMany, { workers: 3, onProgress });
        await expect(embedding).rejects.toMatchObject({ code: 'Crashed' });
        expect(await model.embed('cat')).toHaveLength(model.dim);
        expect(await model.embed(testTexts, { workers: 3 })).toHaveLength(300);
        await haveMembers(model, 2);
        expect(started).toHaveLength(4);
      }));

    test('is heard of at the next job where it died between two, and made good at the one after', () =>
      use(async (model, { started }) => {
        await haveMembers(model, 1);
        await started[1]?.terminate();
        await expect(model.embed(testMany, { workers: 2 })).rejects.toMatchObject({
          code: 'Crashed',
        });
        await haveMembers(model, 1);
        expect(await model.embed(testMany, { workers: 2 })).toHaveLength(testMany.length);
      }));

    test('while it starts is told, and the others do the work', () =>
      use(
        async (model, { started }) => {
          const notes = new Set<string | undefined>();
          const onProgress = ({ note }: Progress) => notes.add(note);
          const rows = await model.embed(testMany, { workers: 2, onProgress });
          expect(rows).toHaveLength(testMany.length);
          expect([...notes]).toContainEqual(expect.stringMatching(/Fewer workers.*no such luck/));
          expect(started).toHaveLength(2);
        },
        (number) => (number === 1 ? 'throw new Error("no such luck")' : ''),
      ));
  });

  describe('the other workers', () => {
    test('end with the model', async () => {
      const workers = ownWorkers();
      const model = await openEncoder(file, { ...options, createWorker: workers.createWorker });
      await haveMembers(model, 2);
      expect(workers.ended()).toBe(0);
      await model.dispose();
      await expect.poll(workers.ended, { timeout: 20_000 }).toBe(3);
      await expect(model.embed(testTexts, { workers: 3 })).rejects.toMatchObject({
        code: 'Cancelled',
      });
    });

    test('that are still opening end with it, too', async () => {
      const workers = ownWorkers();
      const model = await openEncoder(file, { ...options, createWorker: workers.createWorker });
      const embedding = model.embed(testTexts, { workers: 4 });
      const settled = Promise.allSettled([embedding]);
      await model.dispose();
      await settled;
      await expect
        .poll(() => workers.started.length - workers.ended(), { timeout: 20_000 })
        .toBe(0);
    });

    test('end some time after the last job', async () => {
      await use(async (model, { ended }) => {
        const pool = new WorkerPool(model, 1);
        await Promise.all(pool.enter(2));
        expect(model.connection.further.size).toBe(2);
        pool.enter(1);
        pool.leave();
        pool.leave();
        await expect.poll(ended, { timeout: 20_000 }).toBe(2);
        expect(model.connection.further.size).toBe(0);
        expect(await model.embed('cat')).toHaveLength(model.dim);
      });
    });
  });
});

describe('word vectors', () => {
  let model: WordVectors;
  const workers = ownWorkers();
  beforeAll(async () => {
    const words = wordFile({ words: ['east', 'west'], dim: 2, row: (i) => [1 - i, i] });
    model = await openWords(words, { createWorker: workers.createWorker });
  });
  afterAll(() => model.dispose());

  test('take one worker', async () => {
    const texts = Array.from({ length: 100 }, (_, i) => (i % 2 ? 'west' : 'east'));
    expectAllNear(await model.embed(texts, { workers: 4 }), await model.embed(texts));
    expect(workers.started).toHaveLength(1);
  });
});
