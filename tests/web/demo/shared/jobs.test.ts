import { expect, test } from 'vitest';
import { type JobHost, type JobPlan, Jobs, yielded } from '../../../../web/demo/shared/jobs.ts';
import { Store } from '../../../../web/demo/shared/store.ts';

const kPlan: JobPlan = {
  title: 'Working',
  failureTitle: 'It failed',
  cancelNotice: 'Cancelled',
  unit: 'bytes',
};

function makeJobs(): { store: Store<JobHost>; jobs: Jobs<JobHost> } {
  const store = new Store<JobHost>({ job: null, failure: null, notice: '' });
  return { store, jobs: new Jobs(store) };
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

test('a job is visible while it runs and gone afterwards', async () => {
  const { store, jobs } = makeJobs();
  await jobs.run(kPlan, async ({ report, stage }) => {
    report(1, 2);
    expect(store.state.job).toMatchObject({ title: 'Working', loaded: 1, total: 2, unit: 'bytes' });
    stage('Indexing', 'passages');
    expect(store.state.job).toMatchObject({ title: 'Indexing', loaded: 0, total: 0 });
  });
  expect(store.state).toEqual({ job: null, failure: null, notice: '' });
});

test('jobs wait for each other', async () => {
  const { jobs } = makeJobs();
  const order: string[] = [];
  const first = jobs.run(kPlan, async () => {
    await Promise.resolve();
    order.push('first');
  });
  await jobs.run(kPlan, async () => {
    order.push('second');
  });
  await first;
  expect(order).toEqual(['first', 'second']);
});

test('a cancelled job leaves a notice and no failure', async () => {
  const { store, jobs } = makeJobs();
  const run = jobs.run(kPlan, ({ signal }) => untilAborted(signal));
  await Promise.resolve();
  store.state.job?.cancel();
  await run;
  expect(store.state).toMatchObject({ job: null, failure: null, notice: 'Cancelled' });
});

test('a job that interrupts stops the one before it', async () => {
  const { store, jobs } = makeJobs();
  const first = jobs.run(kPlan, ({ signal }) => untilAborted(signal));
  await Promise.resolve();
  let ran = false;
  await jobs.run({ ...kPlan, interrupts: true }, async () => {
    ran = true;
  });
  await first;
  expect(ran).toBe(true);
  expect(store.state.notice).toBe('');
});

test('a lasting job is waited for, even by one that interrupts', async () => {
  const { jobs } = makeJobs();
  const order: string[] = [];
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const first = jobs.run({ ...kPlan, lasting: true }, async ({ signal }) => {
    await ended;
    order.push(signal.aborted ? 'stopped' : 'lasted');
  });
  await Promise.resolve();
  const second = jobs.run({ ...kPlan, interrupts: true }, async () => {
    order.push('after it');
  });
  end();
  await Promise.all([first, second]);
  expect(order).toEqual(['lasted', 'after it']);
});

test('a job that yields stops for any other one, and leaves what was said', async () => {
  const { store, jobs } = makeJobs();
  store.update({ notice: 'Said before' });
  let reason: unknown;
  const first = jobs.run({ ...kPlan, yields: true }, async ({ signal, report }) => {
    report(1, 2, '5 a second');
    expect(store.state).toMatchObject({ notice: 'Said before', job: { remark: '5 a second' } });
    await untilAborted(signal).finally(() => {
      reason = signal.reason;
    });
  });
  await Promise.resolve();
  await jobs.run(kPlan, async () => {});
  await first;
  expect(reason).toBe(yielded);
});

test('a failure is kept with its title, until the next job', async () => {
  const { store, jobs } = makeJobs();
  const error = new Error('no');
  await jobs.run(kPlan, () => Promise.reject(error));
  expect(store.state).toMatchObject({ job: null, failure: { title: 'It failed', error } });
  await jobs.run(kPlan, async () => {});
  expect(store.state.failure).toBeNull();
});
