// Workers write every passage exactly once.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createIndex, open } from 'ambry';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ambryWorker } from './support/processes.ts';
import { model, openWorkbench, otherModel, textOf, type Workbench } from './support/workbench.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(() => bench[Symbol.asyncDispose]());

const parsed = (output: string) => JSON.parse(output.trim().split('\n').at(-1) ?? '');

test('two workers write each passage once, and enqueueing again adds nothing', async () => {
  const corpus = bench.corpus('once', 1000);
  const place = bench.place('once');
  const first = await ambryWorker('enqueue', corpus, ...place, '--job-size', '16', '--json');
  expect(first.stderr).toBe('');
  expect(parsed(first.stdout)).toMatchObject({ read: 1000, added: 1000 });
  const again = await ambryWorker('enqueue', corpus, ...place, '--job-size', '16', '--json');
  expect(parsed(again.stdout)).toMatchObject({ read: 0, skipped: 1000, added: 0 });
  const scan = ['--job-size', '16', '--from-start', '--json'];
  const queued = await ambryWorker('enqueue', corpus, ...place, ...scan);
  expect(parsed(queued.stdout)).toMatchObject({ queued: 1000, added: 0 });

  const ends = await Promise.all([
    ambryWorker('run', ...place, '--drain', '--json'),
    ambryWorker('run', ...place, '--drain', '--json'),
  ]);
  expect(ends.map(({ code }) => code)).toEqual([0, 0]);
  const written = ends.map(({ stdout }) => parsed(stdout).written);
  expect(written[0] + written[1]).toBe(1000);
  const rows = await bench.rows<{ key: string; text: string }>('SELECT key, text FROM once');
  const expected = Array.from({ length: 1000 }, (_, i) => [`p${i}`, textOf(i)]);
  expect(new Map(rows.map(({ key, text }) => [key, text]))).toEqual(
    new Map(expected as [string, string][]),
  );

  const done = await ambryWorker('enqueue', corpus, ...place, ...scan);
  expect(parsed(done.stdout)).toMatchObject({ done: 1000, added: 0 });
  const verified = await ambryWorker('verify', corpus, ...place, '--job-size', '16', '--json');
  expect(verified.code).toBe(0);
});

test('search and export agree with the exact search of the library', async () => {
  const place = ['--model', model, '--to', bench.postgres.url, '--table', 'once'];
  const query = 'ships of passage 77';
  const { stdout, stderr } = await ambryWorker('search', query, ...place, '--k', '5', '--json');
  expect(stderr).toBe('');
  const hits = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const encoder = (await open(model)) as Awaited<ReturnType<typeof open>> & { kind: 'encoder' };
  const docs = Array.from({ length: 1000 }, (_, i) => ({ id: `p${i}`, text: textOf(i) }));
  const index = await createIndex(encoder, docs, { vectors: 'f32' });
  const expected = await index.search(query, { k: 5 });
  expect(hits).toHaveLength(5);
  hits.forEach(({ score }, i) => {
    expect(score).toBeCloseTo(expected[i]?.score as number, 5);
  });
  const near = await ambryWorker('search', query, ...place, '--k', '1', '--hnsw', '--json');
  expect(parsed(near.stdout).score).toBeCloseTo(expected[0]?.score as number, 5);

  const file = join(bench.folder, 'once.ambryindex');
  const exported = await ambryWorker('export', ...place, '--to-index', file, '--json');
  expect(exported.stderr).toBe('');
  const { loadIndex } = await import('ambry');
  const { readFileSync } = await import('node:fs');
  const loaded = await loadIndex(encoder, new Blob([readFileSync(file)]));
  const own = await loaded.search(query, { k: 5 });
  expect(loaded.size).toBe(1000);
  expect(own[0]?.score).toBeCloseTo(expected[0]?.score as number, 2);
  await Promise.all([loaded.dispose(), index.dispose(), encoder.dispose()]);
});

test('a bad passage is set aside and its neighbours are written', async () => {
  const corpus = join(bench.folder, 'poison.jsonl');
  const long = 'word '.repeat(20_000);
  const texts = Array.from({ length: 40 }, (_, i) => (i === 7 || i === 30 ? long : textOf(i)));
  const lines = texts.map((text, i) => JSON.stringify({ id: `p${i}`, text }));
  writeFileSync(corpus, lines.join('\n'));
  const place = [
    ...bench.queue('poison'),
    '--model',
    otherModel,
    '--to',
    bench.postgres.url,
    '--table',
    'poison',
  ];
  await ambryWorker('enqueue', corpus, ...place, '--job-size', '20');
  const run = await ambryWorker('run', ...place, '--truncate', 'error', '--drain', '--json');
  expect(parsed(run.stdout)).toEqual({ written: 38 });
  const failed = await ambryWorker('failed', ...bench.queue('poison'), '--json');
  const jobs = failed.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(jobs.flatMap(({ keys }) => keys).sort()).toEqual(['p30', 'p7']);
  expect(jobs[0].reason).toMatch(/LimitExceeded|BadValue/);
  const verify = await ambryWorker('verify', corpus, ...place, '--job-size', '20', '--json');
  expect(verify.code).toBe(1);
  expect(parsed(verify.stdout)).toMatchObject({ written: 38, failed: 2, missing: 0 });

  const retry = await ambryWorker('retry', ...bench.queue('poison'), '--json');
  expect(parsed(retry.stdout)).toEqual({ retried: 2 });
  const cut = await ambryWorker('run', ...place, '--drain', '--json');
  expect(parsed(cut.stdout)).toEqual({ written: 2 });
});

test('a queue and a table take the vectors of one model only', async () => {
  const corpus = bench.corpus('models', 10);
  await ambryWorker('enqueue', corpus, ...bench.place('models'));
  const other = ['--model', otherModel, '--to', bench.postgres.url];
  const queue = await ambryWorker(
    'run',
    ...bench.queue('models'),
    ...other,
    '--table',
    'fresh',
    '--drain',
  );
  expect(queue.code).toBe(1);
  expect(queue.stderr).toMatch(/Mismatch --model: The queue "models" has jobs for another model/);
  const table = await ambryWorker(
    'enqueue',
    corpus,
    ...bench.queue('fresh'),
    ...other,
    '--table',
    'models',
  );
  expect(table.code).toBe(1);
  expect(table.stderr).toMatch(/Mismatch --model: "models" has vectors of another model/);
});
