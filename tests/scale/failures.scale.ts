// Workers, Redis and PostgreSQL are killed in the middle of the work. Nothing is lost.
import { Queue } from 'bullmq';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ambryWorker, startWorker, until } from './support/processes.ts';
import { openWorkbench, textOf, type Workbench } from './support/workbench.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(() => bench[Symbol.asyncDispose]());

const nPassages = 60;
/** Jobs have 4 passages. Those before this one are written when the work is halfway. */
const blocked = 24;

const run = (name: string) =>
  startWorker('run', ...bench.place(name), '--drain', '--lock-ms', '1000');

const enqueue = (name: string, count: number) => {
  const corpus = bench.corpus(name, count);
  const args = ['--job-size', '4', '--from-start', '--max-waiting', '100000'];
  return ambryWorker('enqueue', corpus, ...bench.place(name), ...args);
};

/** Starts a worker and lets it work until it waits in the middle of a job, while it writes. */
async function halfway(name: string) {
  expect((await enqueue(name, nPassages)).code).toBe(0);
  const release = await bench.blockKey(name, `p${blocked + 1}`);
  const worker = run(name);
  await until(async () => (await bench.count(name)) === blocked);
  await until(async () => {
    const waits = 'SELECT FROM pg_stat_activity WHERE wait_event_type = $$Lock$$';
    return (await bench.rows(waits)).length > 0;
  });
  return { worker, release };
}

/** Every passage is there once, with its text. */
async function expectWhole(name: string, count = nPassages) {
  const rows = await bench.rows<{ key: string; text: string }>(`SELECT key, text FROM "${name}"`);
  expect(rows).toHaveLength(count);
  expect(new Map(rows.map(({ key, text }) => [key, text]))).toEqual(
    new Map(Array.from({ length: count }, (_, i) => [`p${i}`, textOf(i)])),
  );
}

/** How often the jobs that wait were tried. */
async function attempts(name: string): Promise<number[]> {
  const { port, hostname } = new URL(bench.redis.url);
  const queue = new Queue(name, { connection: { host: hostname, port: Number(port) } });
  const jobs = await queue.getJobs(['waiting', 'delayed', 'failed', 'active']);
  await queue.close();
  return jobs.map(({ attemptsMade }) => attemptsMade);
}

const jobsLeft = (nPassages - blocked) / 4;

test('a killed worker loses nothing', async () => {
  const { worker, release } = await halfway('killed');
  worker.child.kill('SIGKILL');
  await worker.ended;
  await release();
  expect((await run('killed').ended).code).toBe(0);
  await expectWhole('killed');
});

test('a killed PostgreSQL loses nothing', async () => {
  const { worker, release } = await halfway('database');
  await bench.postgres.kill();
  await worker.said('Trying again');
  await release();
  await bench.postgres.start();
  expect((await worker.ended).code).toBe(0);
  await expectWhole('database');
});

test('a killed Redis loses nothing', async () => {
  const { worker, release } = await halfway('broker');
  await bench.redis.kill();
  await release();
  await bench.redis.start();
  expect((await worker.ended).code).toBe(0);
  // Redis may lose its last second.
  expect((await enqueue('broker', nPassages)).code).toBe(0);
  expect((await run('broker').ended).code).toBe(0);
  await expectWhole('broker');
});

describe('a worker that is told to stop', () => {
  test('ends its job, and another worker goes on', async () => {
    const { worker, release } = await halfway('stopped');
    worker.child.kill('SIGTERM');
    await worker.said('Stopping');
    await release();
    expect((await worker.ended).code).toBe(0);
    expect(await bench.count('stopped')).toBe(blocked + 4);
    expect(await attempts('stopped')).toEqual(Array(jobsLeft - 1).fill(0));
    expect((await run('stopped').ended).code).toBe(0);
    await expectWhole('stopped');
  });

  test('without PostgreSQL gives its job back, and no attempt is counted', async () => {
    const { worker, release } = await halfway('outage');
    await bench.postgres.kill();
    await worker.said('Trying again');
    worker.child.kill('SIGTERM');
    expect((await worker.ended).code).toBe(0);
    await release();
    expect(await attempts('outage')).toEqual(Array(jobsLeft).fill(0));
    await bench.postgres.start();
    expect((await run('outage').ended).code).toBe(0);
    await expectWhole('outage');
  });

  test('without Redis ends, and another worker gets its job', async () => {
    const { worker, release } = await halfway('silent');
    await bench.redis.kill();
    worker.child.kill('SIGTERM');
    await worker.said('Stopping');
    await release();
    const { code, stderr } = await worker.ended;
    expect([code, stderr]).toEqual([0, expect.stringMatching(/Redis does not answer/)]);
    await bench.redis.start();
    // Redis may lose its last second, and then has a job again that was done.
    const left = await attempts('silent');
    expect(left.length).toBeGreaterThanOrEqual(jobsLeft);
    expect(Math.max(...left)).toBe(0);
    expect((await run('silent').ended).code).toBe(0);
    await expectWhole('silent');
  });
});

test('enqueueing that is stopped goes on where it was', async () => {
  const corpus = bench.corpus('fill', nPassages);
  const args = ['enqueue', corpus, ...bench.place('fill'), '--job-size', '4'];
  const filling = startWorker(...args, '--max-waiting', '5');
  await until(async () => (await attempts('fill')).length === 5);
  await bench.redis.kill();
  filling.child.kill('SIGTERM');
  expect((await filling.ended).code).toBe(143);
  await bench.redis.start();
  const { stdout } = await ambryWorker(...args, '--json');
  const counts = JSON.parse(stdout);
  expect(counts.skipped + counts.read).toBe(nPassages);
  expect(counts.added).toBeGreaterThanOrEqual(nPassages - 24);
  expect((await run('fill').ended).code).toBe(0);
  await expectWhole('fill');
});

test('workers that are killed one after the other, with both servers, lose nothing', async () => {
  const count = 600;
  expect((await enqueue('chaos', count)).code).toBe(0);
  const written = (least: number) => until(async () => (await bench.count('chaos')) >= least);
  const workers = [run('chaos'), run('chaos')];
  await written(40);
  workers[0]?.child.kill('SIGKILL');
  await written(120);
  await bench.postgres.kill();
  await bench.postgres.start();
  await written(200);
  await bench.redis.kill();
  await bench.redis.start();
  workers.push(run('chaos'));
  const [killed, ...ends] = await Promise.all(workers.map(({ ended }) => ended));
  expect([0, null]).toContain(killed?.code);
  expect(ends.map(({ code }) => code)).toEqual([0, 0]);
  expect((await enqueue('chaos', count)).code).toBe(0);
  expect((await run('chaos').ended).code).toBe(0);
  await expectWhole('chaos', count);
});
