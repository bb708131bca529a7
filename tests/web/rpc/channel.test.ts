// The channel against a fake worker that does as it is told.
import { describe, expect, test, vi } from 'vitest';
import { AmbryError } from '../../../web/src/base/errors.ts';
import { Channel } from '../../../web/src/rpc/channel.ts';
import type { Port } from '../../../web/src/rpc/port.ts';
import type { FromWorker } from '../../../web/src/rpc/protocol.ts';

type TestCalls = { double: { in: number; out: number }; sleep: { in: null; out: null } };
type Sent = { id: number; call?: string; in?: unknown; cancel?: true; greeting?: unknown };

class FakeWorker implements Port {
  readonly sent: Sent[] = [];
  readonly transferred: Transferable[] = [];
  terminated = false;
  busy = false;
  answer: (message: FromWorker) => void = () => {};
  crash: (reason: string) => void = () => {};

  post(message: unknown, transfer: readonly Transferable[]): void {
    this.sent.push(message as Sent);
    this.transferred.push(...transfer);
  }
  listen(onMessage: (message: unknown) => void, onCrash: (reason: string) => void): void {
    this.answer = onMessage;
    this.crash = onCrash;
  }
  hold(busy: boolean): void {
    this.busy = busy;
  }
  terminate(): void {
    this.terminated = true;
  }
}

function setUp(graceMs = 50) {
  const workers: FakeWorker[] = [];
  const start = () => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker;
  };
  const channel = new Channel<TestCalls>({ start, greeting: 'hello', graceMs });
  return { channel, workers, worker: () => workers.at(-1) as FakeWorker };
}

describe('Channel', () => {
  test('starts a worker for the first call only, and sends hello', async () => {
    const { channel, workers, worker } = setUp();
    expect(workers).toHaveLength(0);
    const first = channel.call('double', 1);
    const second = channel.call('double', 2);
    expect(workers).toHaveLength(1);
    expect(worker().sent).toEqual([
      { greeting: 'hello' },
      { id: 1, call: 'double', in: 1 },
      { id: 2, call: 'double', in: 2 },
    ]);
    worker().answer({ id: 2, ok: true, out: 4 });
    worker().answer({ id: 1, ok: true, out: 2 });
    expect(await Promise.all([first, second])).toEqual([2, 4]);
  });

  test('keeps the worker alive while calls are pending', async () => {
    const { channel, worker } = setUp();
    const call = channel.call('double', 1);
    expect(worker().busy).toBe(true);
    worker().answer({ id: 1, ok: true, out: 2 });
    await call;
    expect(worker().busy).toBe(false);
  });

  test('rebuilds errors with code, offset and path', async () => {
    const { channel, worker } = setUp();
    const call = channel.call('double', 1);
    const error = { code: 'BadMagic', message: 'no', byteOffset: 4, path: 'header.magic' } as const;
    worker().answer({ id: 1, ok: false, error });
    const thrown = await call.catch((reason: unknown) => reason);
    expect(thrown).toBeInstanceOf(AmbryError);
    expect(thrown).toMatchObject(error);
  });

  test('transfers the buffers of the caller', () => {
    const { channel, worker } = setUp();
    const buffer = new ArrayBuffer(8);
    void channel.call('double', 1, { transfer: [buffer] }).catch(() => {});
    expect(worker().transferred).toEqual([buffer]);
  });

  test('passes progress on until the call ends', async () => {
    const { channel, worker } = setUp();
    const onProgress = vi.fn();
    const call = channel.call('sleep', null, { onProgress });
    const progress = { phase: 'load', loaded: 1, total: 2, cached: false } as const;
    worker().answer({ id: 1, progress });
    worker().answer({ id: 1, ok: true, out: null });
    await call;
    worker().answer({ id: 1, progress });
    expect(onProgress).toHaveBeenCalledExactlyOnceWith(progress);
  });

  test('an abort rejects at once and tells the worker', async () => {
    const { channel, worker } = setUp();
    const controller = new AbortController();
    const call = channel.call('sleep', null, { signal: controller.signal });
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(worker().sent.at(-1)).toEqual({ id: 1, cancel: true });
    worker().answer({ id: 1, cancelled: true });
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(worker().terminated).toBe(false);
  });

  test('an aborted signal sends nothing', async () => {
    const { channel, workers } = setUp();
    const signal = AbortSignal.abort();
    await expect(channel.call('sleep', null, { signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(workers).toHaveLength(0);
  });

  test('terminates a worker that does not stop in time, and rejects other calls', async () => {
    const { channel, worker } = setUp(20);
    const controller = new AbortController();
    const stuck = channel.call('sleep', null, { signal: controller.signal });
    const other = channel.call('double', 1);
    controller.abort();
    await expect(stuck).rejects.toMatchObject({ name: 'AbortError' });
    await expect(other).rejects.toMatchObject({ code: 'Crashed' });
    expect(worker().terminated).toBe(true);
  });

  test.each([
    ['the worker says it is lost', (worker: FakeWorker) => worker.answer({ fatal: 'unreachable' })],
    ['the worker dies', (worker: FakeWorker) => worker.crash('unreachable')],
  ])('when %s, all pending calls reject and the next call starts a worker', async (_, die) => {
    const { channel, workers, worker } = setUp();
    const calls = [channel.call('double', 1), channel.call('double', 2)];
    const first = worker();
    die(first);
    for (const call of calls) {
      await expect(call).rejects.toMatchObject({ code: 'Crashed', message: /unreachable/ });
    }
    expect(first.terminated).toBe(true);
    const next = channel.call('double', 3);
    expect(workers).toHaveLength(2);
    first.answer({ fatal: 'late news of a worker that is gone' });
    worker().answer({ id: 3, ok: true, out: 6 });
    expect(await next).toBe(6);
  });

  test('close ends the worker and rejects pending and later calls', async () => {
    const { channel, worker } = setUp(20);
    const pending = channel.call('sleep', null);
    const closed = channel.close();
    await expect(pending).rejects.toMatchObject({ code: 'Cancelled' });
    await closed;
    expect(worker().terminated).toBe(true);
    await expect(channel.call('double', 1)).rejects.toMatchObject({ code: 'Cancelled' });
  });

  test('close waits for a cancelled call to clean up', async () => {
    const { channel, worker } = setUp(5000);
    const controller = new AbortController();
    const call = channel.call('sleep', null, { signal: controller.signal });
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    const closed = channel.close();
    await Promise.resolve();
    expect(worker().terminated).toBe(false);
    worker().answer({ id: 1, cancelled: true });
    await closed;
    expect(worker().terminated).toBe(true);
  });

  test('close may be called twice', async () => {
    const { channel, worker } = setUp(5000);
    const call = channel.call('sleep', null);
    const closed = [channel.close(), channel.close()];
    await expect(call).rejects.toMatchObject({ code: 'Cancelled' });
    worker().answer({ id: 1, cancelled: true });
    await Promise.all(closed);
    expect(worker().terminated).toBe(true);
  });
});
