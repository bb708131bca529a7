// Passages that cannot be embedded are set aside. Their neighbours are written.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ambryWorker, parsed, parsedLines, startCrashing } from './support/processes.ts';
import { model, openWorkbench, otherModel, textOf, type Workbench } from './support/workbench.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(() => bench[Symbol.asyncDispose]());

/** A corpus of 40 passages of which number 7 and number 30 are this one. */
const poisoned = (name: string, text: string) =>
  bench.corpusOf(
    name,
    Array.from({ length: 40 }, (_, i) => (i === 7 || i === 30 ? text : textOf(i))),
  );

const failed = async (name: string) =>
  parsedLines(await ambryWorker('failed', ...bench.queue(name), '--json')) as {
    keys: string[];
    reason: string;
  }[];

test('a bad passage is set aside, and is written when it is tried again with success', async () => {
  const corpus = poisoned('poison', 'word '.repeat(20_000));
  const table = ['--model', otherModel, '--to', bench.postgres.url, '--table', 'poison'];
  const place = [...bench.queue('poison'), ...table];
  await ambryWorker('enqueue', corpus, ...place, '--job-size', '20');
  const run = await ambryWorker('run', ...place, '--truncate', 'error', '--drain', '--json');
  expect([run.code, parsed(run)]).toEqual([0, { written: 38 }]);
  const jobs = await failed('poison');
  expect(jobs.flatMap(({ keys }) => keys).sort()).toEqual(['p30', 'p7']);
  expect(jobs[0]?.reason).toMatch(/^p\d+: (LimitExceeded|BadValue): /);
  const verify = await ambryWorker('verify', corpus, ...place, '--job-size', '20', '--json');
  expect(verify.code).toBe(1);
  expect(parsed(verify)).toMatchObject({ written: 38, failed: 2, missing: 0 });

  const retry = await ambryWorker('retry', ...bench.queue('poison'), '--json');
  expect(parsed(retry)).toEqual({ retried: 2 });
  const cut = await ambryWorker('run', ...place, '--drain', '--json');
  expect(parsed(cut)).toEqual({ written: 2 });
});

test('a passage that crashes the model is set aside, and the worker goes on', async () => {
  const corpus = poisoned('crash', 'This will crash the model.');
  await ambryWorker('enqueue', corpus, ...bench.place('crash'), '--job-size', '20');
  const worker = startCrashing('run', ...bench.place('crash'), '--drain', '--json');
  // Nobody reads its messages.
  worker.child.stderr?.destroy();
  const run = await worker.ended;
  expect([run.code, parsed(run)]).toEqual([0, { written: 38 }]);
  const jobs = await failed('crash');
  expect(jobs.flatMap(({ keys }) => keys).sort()).toEqual(['p30', 'p7']);
  expect(jobs[0]?.reason).toMatch(/^p\d+: Crashed: /);
});

test('a worker whose model crashes at every passage ends, and spoils no job', async () => {
  const corpus = bench.corpusOf('broken', ['crash the model', 'crash the model again']);
  await ambryWorker('enqueue', corpus, ...bench.place('broken'));
  const run = await startCrashing('run', ...bench.place('broken'), '--drain').ended;
  expect([run.code, run.stderr]).toEqual([1, expect.stringMatching(/^Crashed: /m)]);
  const other = await ambryWorker('run', ...bench.place('broken'), '--drain', '--json');
  expect([other.code, parsed(other)]).toEqual([0, { written: 2 }]);
});

test('a job that ends four workers is set aside', async () => {
  const corpus = bench.corpusOf('deadly', ['harmless', 'end the process', 'harmless too']);
  const place = bench.place('deadly');
  await ambryWorker('enqueue', corpus, ...place, '--job-size', '2');
  const args = ['run', ...place, '--drain', '--lock-ms', '500'];
  let deaths = 0;
  while ((await startCrashing(...args).ended).code !== 0) {
    deaths++;
  }
  expect(deaths).toBe(4);
  const jobs = await failed('deadly');
  expect(jobs).toMatchObject([{ keys: ['p0', 'p1'], reason: expect.stringMatching(/stalled/) }]);
  expect(await bench.count('deadly')).toBe(1);
});

test('Parquet files lack what was set aside, until it is tried again', async () => {
  const corpus = poisoned('parts', 'word '.repeat(20_000));
  const place = [...bench.queue('parts'), '--model', otherModel, '--to', `${bench.folder}/parts`];
  await ambryWorker('enqueue', corpus, ...place);
  await ambryWorker('run', ...place, '--truncate', 'error', '--drain');
  const verify = async () => parsed(await ambryWorker('verify', corpus, ...place, '--json'));
  expect(await verify()).toMatchObject({ passages: 40, written: 38, failed: 2 });
  await ambryWorker('retry', ...bench.queue('parts'));
  await ambryWorker('run', ...place, '--drain');
  expect(await verify()).toMatchObject({ passages: 40, written: 40, failed: 0 });
});

test('a text without a vector is set aside', async () => {
  const corpus = bench.corpusOf('empty', ['a text', '']);
  await ambryWorker('enqueue', corpus, ...bench.place('empty'));
  await ambryWorker('run', '--model', model, ...bench.place('empty'), '--drain');
  expect(await failed('empty')).toMatchObject([{ keys: ['p1'] }]);
});
