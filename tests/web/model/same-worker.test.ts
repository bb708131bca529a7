// The worker that converts a source and then opens the result, with fake workers.
import { describe, expect, test } from 'vitest';
import { sameWorker } from '../../../web/src/model/same-worker.ts';
import type { Platform } from '../../../web/src/platform/platform.ts';
import type { CrashReason, Port } from '../../../web/src/rpc/port.ts';

class FakePort implements Port {
  readonly posted: unknown[] = [];
  terminated = false;
  say: (message: unknown) => void = () => {};
  crash: (reason: CrashReason) => void = () => {};

  post(message: unknown): void {
    this.posted.push(message);
  }
  listen(onMessage: (message: unknown) => void, onCrash: (reason: CrashReason) => void): void {
    this.say = onMessage;
    this.crash = onCrash;
  }
  hold(): void {}
  terminate(): void {
    this.terminated = true;
  }
}

function setUp(facts: Partial<Platform> = { oneWorker: true }) {
  const started: FakePort[] = [];
  const spawn = () => {
    const port = new FakePort();
    started.push(port);
    return port;
  };
  const platform = { spawn, ...facts } as unknown as Platform;
  return { platform, started, same: sameWorker(platform) };
}

function listenTo(port: Port) {
  const heard: unknown[] = [];
  port.listen(
    (message) => heard.push(message),
    (reason) => heard.push({ reason }),
  );
  return heard;
}

describe('sameWorker', () => {
  test('gives a worker that has ended its work to the next who wants one', async () => {
    const { same, started } = setUp();
    const first = same.platform.spawn('onnx');
    const before = listenTo(first);
    await first.terminate();
    same.goOn();
    const second = same.platform.spawn('encoder');
    const after = listenTo(second);
    started[0]?.say('opened');
    expect(started).toHaveLength(1);
    expect([before, after]).toEqual([[], ['opened']]);
    second.post('a', []);
    expect(started[0]?.posted).toEqual(['a']);
    await second.terminate();
    expect(started[0]?.terminated).toBe(true);
  });

  test('ends a worker that is busy or has crashed', async () => {
    const { same, started } = setUp();
    const busy = same.platform.spawn('onnx');
    busy.hold(true);
    await busy.terminate();
    const crashed = same.platform.spawn('onnx');
    const heard = listenTo(crashed);
    started[1]?.crash('it exited');
    await crashed.terminate();
    expect(heard).toEqual([{ reason: 'it exited' }]);
    same.platform.spawn('encoder');
    expect(started.map(({ terminated }) => terminated)).toEqual([true, true, false]);
  });

  test('tells of a crash while nobody listened', async () => {
    const { same, started } = setUp();
    await same.platform.spawn('onnx').terminate();
    started[0]?.crash('it exited');
    expect(listenTo(same.platform.spawn('encoder'))).toEqual([{ reason: 'it exited' }]);
  });

  test('ends the kept worker of a conversion that failed', async () => {
    const { same, started } = setUp();
    await same.platform.spawn('onnx').terminate();
    expect(started[0]?.terminated).toBe(false);
    await same.end();
    expect(started[0]?.terminated).toBe(true);
  });

  test('starts a worker for each where scripts differ', () => {
    const { same, platform } = setUp({});
    expect(same.platform).toBe(platform);
  });
});
