import { expect, test } from 'vitest';
import { Store } from '../../../../../web/demo/shared/base/store.ts';
import {
  interrupted,
  type JobPlan,
  Jobs,
  type PageState,
} from '../../../../../web/demo/shared/jobs/jobs.ts';

const plan: JobPlan = {
  title: 'Working',
  failureTitle: 'It failed',
  cancelNotice: 'Cancelled',
  unit: 'bytes',
};

function makeJobs(): { store: Store<PageState>; jobs: Jobs<PageState> } {
  const store = new Store<PageState>({ job: null, failure: null, notice: '' });
  return { store, jobs: new Jobs(store) };
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

test('a job is in the state while it runs', async () => {
  const { store, jobs } = makeJobs();
  await jobs.run(plan, async ({ report, stage }) => {
    report(1, 2);
    expect(store.state.job).toMatchObject({ title: 'Working', loaded: 1, total: 2, unit: 'bytes' });
    stage('Indexing', 'passages');
    expect(store.state.job).toMatchObject({ title: 'Indexing', loaded: 0, total: 0 });
  });
  expect(store.state).toEqual({ job: null, failure: null, notice: '' });
});

test('a job waits for the one before it', async () => {
  const { jobs } = makeJobs();
  const order: string[] = [];
  const first = jobs.run(plan, async () => {
    await Promise.resolve();
    order.push('first');
  });
  await jobs.run(plan, async () => {
    order.push('second');
  });
  await first;
  expect(order).toEqual(['first', 'second']);
});

test('a cancelled job leaves a notice, not a failure', async () => {
  const { store, jobs } = makeJobs();
  const run = jobs.run(plan, ({ signal }) => untilAborted(signal));
  await Promise.resolve();
  store.state.job?.cancel();
  await run;
  expect(store.state).toMatchObject({ job: null, failure: null, notice: 'Cancelled' });
});

test('a job that interrupts cancels the one before it', async () => {
  const { store, jobs } = makeJobs();
  const first = jobs.run(plan, ({ signal }) => untilAborted(signal));
  await Promise.resolve();
  let ran = false;
  await jobs.run({ ...plan, interrupts: true }, async () => {
    ran = true;
  });
  await first;
  expect(ran).toBe(true);
  expect(store.state.notice).toBe('');
});

test('a job that interrupts waits for an uninterruptible one', async () => {
  const { jobs } = makeJobs();
  const order: string[] = [];
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const first = jobs.run({ ...plan, uninterruptible: true }, async ({ signal }) => {
    await ended;
    order.push(signal.aborted ? 'cancelled' : 'done');
  });
  await Promise.resolve();
  const second = jobs.run({ ...plan, interrupts: true }, async () => {
    order.push('after it');
  });
  end();
  await Promise.all([first, second]);
  expect(order).toEqual(['done', 'after it']);
});

test('a background job is cancelled by any other one, and keeps the notice before it', async () => {
  const { store, jobs } = makeJobs();
  store.update({ notice: 'Notice before' });
  let reason: unknown;
  const first = jobs.run({ ...plan, background: true }, async ({ signal, report }) => {
    report(1, 2, '5 per second');
    expect(store.state).toMatchObject({ notice: 'Notice before', job: { note: '5 per second' } });
    await untilAborted(signal).finally(() => {
      reason = signal.reason;
    });
  });
  await Promise.resolve();
  await jobs.run(plan, async () => {});
  await first;
  expect(reason).toBe(interrupted);
});

test('a failure stays in the state until the next job', async () => {
  const { store, jobs } = makeJobs();
  const error = new Error('no');
  await jobs.run(plan, () => Promise.reject(error));
  expect(store.state).toMatchObject({ job: null, failure: { title: 'It failed', error } });
  await jobs.run(plan, async () => {});
  expect(store.state.failure).toBeNull();
});

test('a job in the background ends the failure of the one like it before, and no other', async () => {
  const { store, jobs } = makeJobs();
  const background = { ...plan, background: true };
  await jobs.run(background, () => Promise.reject(new Error('no')));
  expect(store.state.failure?.title).toBe('It failed');
  await jobs.run({ ...background, failureTitle: 'Another failed' }, async () => undefined);
  expect(store.state.failure?.title).toBe('It failed');
  await jobs.run(background, async () => undefined);
  expect(store.state.failure).toBeNull();
});

test('what a plan finds out about an error is shown with it', async () => {
  const { store, jobs } = makeJobs();
  const said = { sentence: 'This is a picture.', advice: 'Choose a model.' };
  const error = new Error('no');
  await jobs.run({ ...plan, explain: async () => ({ plain: said }) }, () => Promise.reject(error));
  expect(store.state.failure).toEqual({ title: 'It failed', error, plain: said });
  // An error is shown also where nothing can be found out.
  const failing = { ...plan, explain: () => Promise.reject(new Error('offline')) };
  await jobs.run(failing, () => Promise.reject(error));
  expect(store.state.failure).toEqual({ title: 'It failed', error });
});

test('a cancel while an error is explained is a cancel', async () => {
  const { store, jobs } = makeJobs();
  const explain = async (): Promise<object> => {
    store.state.job?.cancel();
    return {};
  };
  await jobs.run({ ...plan, explain }, () => Promise.reject(new Error('no')));
  expect(store.state).toMatchObject({ failure: null, notice: 'Cancelled' });
});
