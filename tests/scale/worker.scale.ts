// Workers write every passage exactly once.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createIndex, open, openIndex } from 'ambry';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ambryWorker, parsed, parsedLines, startWorker, until } from './support/processes.ts';
import { model, openWorkbench, textOf, type Workbench } from './support/workbench.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(() => bench[Symbol.asyncDispose]());

test('two workers write each passage once, and enqueueing again adds nothing', async () => {
  const corpus = bench.corpus('once', 1000);
  const place = bench.place('once');
  const first = await ambryWorker('enqueue', corpus, ...place, '--job-size', '16', '--json');
  expect(first.stderr).toBe('');
  expect(parsed(first)).toMatchObject({ read: 1000, added: 1000 });
  const again = await ambryWorker('enqueue', corpus, ...place, '--job-size', '16', '--json');
  expect(parsed(again)).toMatchObject({ read: 0, skipped: 1000, added: 0 });
  const scan = ['--job-size', '16', '--from-start', '--json'];
  const queued = await ambryWorker('enqueue', corpus, ...place, ...scan);
  expect(parsed(queued)).toMatchObject({ queued: 1000, added: 0 });

  const ends = await Promise.all([
    ambryWorker('run', ...place, '--drain', '--json'),
    ambryWorker('run', ...place, '--drain', '--json'),
  ]);
  expect(ends.map(({ code }) => code)).toEqual([0, 0]);
  const written = ends.map((end) => parsed(end).written);
  expect(written[0] + written[1]).toBe(1000);
  const rows = await bench.rows<{ key: string; text: string }>('SELECT key, text FROM once');
  const expected = Array.from({ length: 1000 }, (_, i) => [`p${i}`, textOf(i)]);
  expect(new Map(rows.map(({ key, text }) => [key, text]))).toEqual(
    new Map(expected as [string, string][]),
  );

  const done = await ambryWorker('enqueue', corpus, ...place, ...scan);
  expect(parsed(done)).toMatchObject({ done: 1000, added: 0 });
  const verified = await ambryWorker('verify', corpus, ...place, '--job-size', '16', '--json');
  expect(verified.code).toBe(0);
});

test('search and export agree with the exact search of the library', async () => {
  const place = ['--model', model, '--to', bench.postgres.url, '--table', 'once'];
  const query = 'ships of passage 77';
  const found = await ambryWorker('search', query, ...place, '--k', '5', '--json');
  expect(found.stderr).toBe('');
  const hits = parsedLines(found);
  const encoder = (await open(model)) as Awaited<ReturnType<typeof open>> & { kind: 'encoder' };
  const docs = Array.from({ length: 1000 }, (_, i) => ({ id: `p${i}`, text: textOf(i) }));
  const index = await createIndex(encoder, docs, { vectors: 'f32' });
  const expected = await index.search(query, { k: 5 });
  expect(hits).toHaveLength(5);
  hits.forEach(({ score }, i) => {
    expect(score).toBeCloseTo(expected[i]?.score as number, 5);
  });
  const near = await ambryWorker('search', query, ...place, '--k', '1', '--hnsw', '--json');
  expect(parsed(near).score).toBeCloseTo(expected[0]?.score as number, 5);

  const file = join(bench.folder, 'once.ambryindex');
  const exported = await ambryWorker('export', ...place, '--to-index', file, '--json');
  expect(exported.stderr).toBe('');
  const loaded = await openIndex(new Blob([readFileSync(file)]), { model: encoder });
  const own = await loaded.search(query, { k: 5 });
  expect(loaded.size).toBe(1000);
  expect(own[0]?.score).toBeCloseTo(expected[0]?.score as number, 2);
  await Promise.all([loaded.dispose(), index.dispose(), encoder.dispose()]);
});

test('enqueueing waits for workers when the queue is full', async () => {
  // The table has the name of a word of SQL.
  const corpus = bench.corpus('full', 60);
  const args = [corpus, ...bench.place('full'), '--job-size', '4', '--max-waiting', '5'];
  const filling = startWorker('enqueue', ...args);
  const waiting = async () =>
    parsed(await ambryWorker('status', ...bench.queue('full'), '--json')).waiting as number;
  await until(async () => (await waiting()) === 5);
  expect(await waiting()).toBe(5);
  expect(filling.child.exitCode).toBe(null);
  const worker = startWorker('run', ...bench.place('full'));
  expect((await filling.ended).code).toBe(0);
  await until(async () => (await bench.count('full')) === 60);
  worker.child.kill('SIGTERM');
  expect((await worker.ended).code).toBe(0);
});

test('a text that has changed replaces the old one, and verify says what is missing', async () => {
  const place = [...bench.place('changed'), '--job-size', '2'];
  const enqueue = async (...texts: string[]) =>
    ambryWorker('enqueue', bench.corpusOf('changed', texts), ...place, '--json');
  await enqueue('one', 'two', 'three');
  expect((await ambryWorker('run', ...place.slice(0, -2), '--drain')).code).toBe(0);
  // The corpus is another one, so that it is read from the start.
  expect(parsed(await enqueue('one', 'deux', 'three'))).toMatchObject({ done: 2, added: 1 });
  const file = join(bench.folder, 'changed.jsonl');
  const early = await ambryWorker('verify', file, ...place, '--json');
  expect([early.code, parsed(early)]).toEqual([
    1,
    { passages: 3, written: 2, queued: 1, failed: 0, missing: 0 },
  ]);
  expect((await ambryWorker('run', ...place.slice(0, -2), '--drain')).code).toBe(0);
  expect(await bench.rows('SELECT key, text FROM changed ORDER BY key')).toEqual([
    { key: 'p0', text: 'one' },
    { key: 'p1', text: 'deux' },
    { key: 'p2', text: 'three' },
  ]);
});
