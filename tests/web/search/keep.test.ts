// Vectors that are kept while an index is made, through the built package in Node: gone on with, used again, replaced,
// and done without.

import { mkdtempSync } from 'node:fs';
import { readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Encoder, IndexOptions, Progress } from '../../../web/src/index.ts';
import { openEncoder } from '../support/open-kinds.ts';
import { ambry, smallModel } from '../support/package.ts';

const { createIndex, vectorCaches } = ambry;
const testDocs = Array.from({ length: 400 }, (_, i) => ({
  text: `the ${['cat', 'dog', 'mat'][i % 3]} ${'ran home '.repeat(i % 5)}${i}`,
}));
const folder = mkdtempSync(join(tmpdir(), 'ambry-keep-'));
// Before the package is asked for it: where names lie.
process.env['XDG_CACHE_HOME'] = folder;
const file = await smallModel();
let model: Encoder;
beforeAll(async () => {
  model = await openEncoder(file);
});
afterAll(async () => {
  await model.dispose();
  await rm(folder, { recursive: true });
});

let path = '';
let names = 0;
beforeEach(() => {
  path = join(folder, `kept${names++}`);
});

/** Makes an index; gives the reports on the way, and what a search finds. */
async function index(options: IndexOptions = {}, docs = testDocs, by = model) {
  const seen: Progress[] = [];
  const onProgress = (progress: Progress) => {
    seen.push(progress);
    options.onProgress?.(progress);
  };
  await using made = await createIndex(by, docs, { keep: { path }, ...options, onProgress });
  const hits = await made.search('dog ran home', { k: 30 });
  const notes = seen.map(({ note }) => note).filter((note) => note !== undefined);
  return { seen, hits, notes, cached: seen.at(-1)?.cached };
}

const plain = async () => {
  await using made = await createIndex(model, testDocs);
  return await made.search('dog ran home', { k: 30 });
};

describe('kept vectors', () => {
  test('make the same index again without embedding', async () => {
    const first = await index();
    expect(first).toMatchObject({ cached: 0, notes: [] });
    expect(first.hits).toEqual(await plain());
    const second = await index();
    expect(second).toMatchObject({ cached: 400, notes: [], hits: first.hits });
    expect(second.seen.at(-1)).toMatchObject({ phase: 'embed', loaded: 400, total: 400 });
  });

  test('leave only new texts to embed, in any order', async () => {
    await index({}, testDocs.slice(100, 200));
    const docs = testDocs.toReversed();
    const { seen, hits, cached } = await index({ workers: 2 }, docs);
    expect(cached).toBe(100);
    const loaded = seen.map((progress) => progress.loaded);
    expect(loaded[0]).toBe(100);
    expect(loaded).toEqual(loaded.toSorted((a, b) => a - b));
    await using made = await createIndex(model, docs);
    expect(hits).toEqual(await made.search('dog ran home', { k: 30 }));
  });

  test('of an aborted indexing are used by the next one', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const onProgress = ({ loaded }: Progress) => {
      if (loaded >= 200) {
        controller.abort();
      }
    };
    await expect(index({ signal, onProgress })).rejects.toMatchObject({ name: 'AbortError' });
    const { cached, hits } = await index();
    expect(cached).toBeGreaterThan(0);
    expect(cached).toBeLessThan(400);
    expect(hits).toEqual(await plain());
  });

  test('of incomplete blocks are embedded again', async () => {
    await index();
    await truncate(path, (await stat(path)).size >> 1);
    const { cached, hits, notes } = await index();
    expect(cached).toBeGreaterThan(0);
    expect(cached).toBeLessThan(400);
    expect(notes).toEqual([]);
    expect(hits).toEqual(await plain());
    expect((await index()).cached).toBe(400);
  });

  test('of another model or prompt are replaced', async () => {
    await index();
    await using other = await openEncoder(await smallModel(2));
    expect((await index({}, testDocs, other)).cached).toBe(0);
    expect((await index()).cached).toBe(0);
    expect((await index({ prompt: 'a dog: ' })).cached).toBe(0);
    expect((await index({ prompt: 'a dog: ' })).cached).toBe(400);
  });

  test('can be used for an index that grows', async () => {
    await index({}, testDocs.slice(0, 50));
    await using made = await createIndex(model, []);
    const cached: unknown[] = [];
    for (const part of [testDocs.slice(0, 20), testDocs.slice(20, 120)]) {
      let last: unknown;
      await made.add(part, { keep: { path }, onProgress: (progress) => (last = progress.cached) });
      cached.push(last);
    }
    expect(cached).toEqual([20, 30]);
    expect(made.size).toBe(120);
  });

  test('can be used by two jobs of one model at the same time', async () => {
    const both = await Promise.all([index(), index({}, testDocs.slice(0, 300))]);
    expect(both.flatMap(({ notes }) => notes)).toEqual([]);
    expect((await index()).cached).toBe(400);
  });

  test('leave no lock and no open file behind', async () => {
    await index();
    const left = (await readdir(folder)).filter((name) => name.endsWith('.lock'));
    expect(left).toEqual([]);
  });
});

describe('indexing continues without kept vectors', () => {
  test('if a job with another model has the file', async () => {
    await using other = await openEncoder(await smallModel(2));
    const both = await Promise.all([index(), index({}, testDocs, other)]);
    const notes = both.map((made) => new Set(made.notes).size);
    expect(notes.toSorted()).toEqual([0, 1]);
    expect(both.flatMap((made) => made.notes)[0]).toMatch(/not kept.*Another job/);
  });

  test('if another process has the file', async () => {
    await writeFile(`${path}.lock`, String(process.pid));
    const { notes, hits } = await index();
    expect(notes[0]).toMatch(/not kept.*Another tab or process/);
    expect(hits).toEqual(await plain());
  });

  test('if there is no storage', async () => {
    await writeFile(path, '');
    const { notes, hits } = await index({ keep: { path: join(path, 'below') } });
    expect(notes[0]).toMatch(/not kept.*cannot be used/);
    expect(hits).toEqual(await plain());
  });

  test.each([
    ['no name', ''],
    ['a number', 7],
    ['an empty object', {}],
    ['a long name', 'x'.repeat(500)],
  ])('%s is not a valid place', async (_, keep) => {
    await expect(index({ keep: keep as string })).rejects.toMatchObject({
      code: 'BadValue',
      path: 'keep',
    });
  });
});

describe('names', () => {
  test('are listed, used again, and deleted', async () => {
    expect(await vectorCaches.list()).toEqual([]);
    expect((await index({ keep: 'my notes' })).cached).toBe(0);
    expect((await index({ keep: 'my notes' })).cached).toBe(400);
    const [kept] = await vectorCaches.list();
    expect(kept).toMatchObject({ name: 'my notes' });
    expect(kept?.bytes).toBeGreaterThan(400 * model.dim * 4);
    expect(await vectorCaches.delete('my notes')).toBe(true);
    expect(await vectorCaches.delete('my notes')).toBe(false);
    expect(await vectorCaches.list()).toEqual([]);
    expect((await index({ keep: 'my notes' })).cached).toBe(0);
  });
});
