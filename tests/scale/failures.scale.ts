// Workers, Redis and PostgreSQL are killed in the middle of the work. Nothing is lost.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ambryWorker, startWorker, until } from './support/processes.ts';
import { redisServer } from './support/servers.ts';
import { model, openWorkbench, type Workbench } from './support/workbench.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(() => bench[Symbol.asyncDispose]());

const run = (name: string) =>
  startWorker('run', ...bench.place(name), '--drain', '--lock-ms', '2000');
const count = async (name: string) => {
  const rows = await bench.rows<{ count: string }>(`SELECT count(*) FROM "${name}"`);
  return Number(rows[0]?.count);
};

/** Fills a queue, starts a worker and waits until it has written something, but not all. */
async function midway(name: string) {
  const corpus = bench.corpus(name, 1200);
  const args = [corpus, ...bench.place(name), '--job-size', '4', '--max-waiting', '100000'];
  expect((await ambryWorker('enqueue', ...args)).code).toBe(0);
  const worker = run(name);
  await until(async () => (await count(name)) > 50);
  return { corpus, worker };
}

async function expectWhole(name: string, corpus: string) {
  expect(await count(name)).toBe(1200);
  const verify = await ambryWorker('verify', corpus, ...bench.place(name), '--job-size', '4');
  expect(verify.code).toBe(0);
}

test('a killed worker loses nothing', async () => {
  const { corpus, worker } = await midway('killed');
  worker.child.kill('SIGKILL');
  await worker.ended;
  expect(await count('killed')).toBeLessThan(1200);
  expect((await run('killed').ended).code).toBe(0);
  await expectWhole('killed', corpus);
});

test('a worker that is told to stop ends its job, and another goes on', async () => {
  const { corpus, worker } = await midway('stopped');
  worker.child.kill('SIGTERM');
  expect((await worker.ended).code).toBe(0);
  expect(await count('stopped')).toBeLessThan(1200);
  expect((await run('stopped').ended).code).toBe(0);
  await expectWhole('stopped', corpus);
});

test('a killed PostgreSQL loses nothing', async () => {
  const { corpus, worker } = await midway('database');
  await bench.postgres.kill();
  await bench.postgres.start();
  expect((await worker.ended).code).toBe(0);
  await expectWhole('database', corpus);
});

test('a killed Redis loses nothing', async () => {
  const { corpus, worker } = await midway('broker');
  await bench.redis.kill();
  await bench.redis.start();
  expect((await worker.ended).code).toBe(0);
  const again = [corpus, ...bench.place('broker'), '--job-size', '4', '--from-start'];
  expect((await ambryWorker('enqueue', ...again)).code).toBe(0);
  expect((await run('broker').ended).code).toBe(0);
  await expectWhole('broker', corpus);
});

test('Parquet files hold each passage once', async () => {
  const folder = join(bench.folder, 'parquet');
  const corpus = bench.corpus('parquet', 300);
  const place = [...bench.queue('parquet'), '--model', model, '--to', folder];
  await ambryWorker('enqueue', corpus, ...place);
  expect((await ambryWorker('run', ...place, '--drain')).code).toBe(0);
  const parts = readdirSync(folder).filter((name) => name.endsWith('.parquet'));
  const keys: string[] = [];
  for (const part of parts) {
    const file = new Uint8Array(readFileSync(join(folder, part))).buffer;
    for (const row of await parquetReadObjects({ file })) {
      keys.push(row['key'] as string);
      expect(Math.hypot(...(row['vector'] as number[]))).toBeCloseTo(1, 3);
    }
  }
  expect(keys.sort()).toEqual(Array.from({ length: 300 }, (_, i) => `p${i}`).sort());
  expect((await ambryWorker('verify', corpus, ...place)).code).toBe(0);
});

test('enqueueing waits for workers when the queue is full', async () => {
  // The table has the name of a word of SQL.
  const corpus = bench.corpus('full', 200);
  const args = [corpus, ...bench.place('full'), '--job-size', '4', '--max-waiting', '5'];
  const filling = startWorker('enqueue', ...args);
  const waiting = async () => {
    const { stdout } = await ambryWorker('status', ...bench.queue('full'), '--json');
    return JSON.parse(stdout).waiting as number;
  };
  await until(async () => (await waiting()) === 5);
  expect(await waiting()).toBe(5);
  expect(filling.child.exitCode).toBe(null);
  const worker = startWorker('run', ...bench.place('full'));
  expect((await filling.ended).code).toBe(0);
  await until(async () => (await count('full')) === 200);
  worker.child.kill('SIGTERM');
  expect((await worker.ended).code).toBe(0);
});

test('wrong options and servers that do not answer are named', async () => {
  const place = bench.place('options');
  const unknown = await ambryWorker('run', ...place, '--batch', '3');
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringMatching(/no option --batch/)]);
  const missing = await ambryWorker('run', '--model', model);
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringMatching(/--to is missing/)]);
  const silent = await ambryWorker('status', '--redis', 'redis://127.0.0.1:1');
  expect([silent.code, silent.stderr]).toEqual([
    2,
    expect.stringMatching(/No connection to Redis/),
  ]);
  const evicting = await redisServer('--maxmemory-policy', 'allkeys-lru');
  await evicting.start();
  const args = ['--model', model, '--to', bench.postgres.url, '--redis', evicting.url];
  const refused = await ambryWorker('run', ...args);
  await evicting.stop();
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/maxmemory-policy allkeys-lru/),
  ]);
});
