// The port of a worker that may have to be started in another way, with fake workers.
import { describe, expect, test, vi } from 'vitest';
import { AmbryError } from '../../../web/src/base/errors.ts';
import { startingPort } from '../../../web/src/platform/starting-port.ts';
import { type CrashReason, notLoaded, type Port } from '../../../web/src/rpc/port.ts';

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

function setUp(start?: () => Port) {
  const [first, second] = [new FakePort(), new FakePort()];
  const instead = vi.fn<(reason: unknown) => Promise<Port>>(() => Promise.resolve(second));
  const port = startingPort(start ?? (() => first), instead);
  const heard: unknown[] = [];
  const crashes: CrashReason[] = [];
  port.listen(
    (message) => heard.push(message),
    (reason) => crashes.push(reason),
  );
  return { port, first, second, instead, heard, crashes };
}

const turn = () => new Promise((resolve) => setTimeout(resolve));

describe('startingPort', () => {
  test('posts at once, and hears all but `ready`', () => {
    const { port, first, heard } = setUp();
    port.post('a', []);
    expect(first.posted).toEqual(['a']);
    first.say({ ready: true });
    first.say({ id: 1 });
    port.post('b', [new ArrayBuffer(1)]);
    expect(heard).toEqual([{ id: 1 }]);
    expect(first.posted).toEqual(['a', 'b']);
  });

  test('keeps what moves memory, and all after it, until the script is loaded', () => {
    const { port, first } = setUp();
    port.post('a', []);
    port.post('moves', [new ArrayBuffer(1)]);
    port.post('b', []);
    expect(first.posted).toEqual(['a']);
    first.say({ ready: true });
    expect(first.posted).toEqual(['a', 'moves', 'b']);
  });

  test('gives another worker every message when the script does not load', async () => {
    const { port, first, second, instead, heard, crashes } = setUp();
    port.post('a', []);
    port.post('moves', [new ArrayBuffer(1)]);
    first.crash(notLoaded);
    expect(first.terminated).toBe(true);
    port.post('b', []);
    await turn();
    expect(instead).toHaveBeenCalledWith(notLoaded);
    expect(second.posted).toEqual(['a', 'moves', 'b']);
    second.say({ id: 1 });
    expect([heard, crashes]).toEqual([[{ id: 1 }], []]);
  });

  test('does so when the worker cannot be started', async () => {
    const denied = new DOMException('no', 'SecurityError');
    const { port, second, instead } = setUp(() => {
      throw denied;
    });
    port.post('a', []);
    await turn();
    expect(instead).toHaveBeenCalledWith(denied);
    expect(second.posted).toEqual(['a']);
  });

  test('a script that is loaded, or that throws, has crashed', async () => {
    const loaded = setUp();
    loaded.first.say({ ready: true });
    loaded.first.crash(notLoaded);
    const threw = setUp();
    threw.first.crash('x is not a function');
    await turn();
    expect([loaded.crashes, threw.crashes]).toEqual([[notLoaded], ['x is not a function']]);
    expect(loaded.instead).not.toHaveBeenCalled();
    expect(threw.instead).not.toHaveBeenCalled();
  });

  test('passes on why there is no other worker', async () => {
    const { port, first, instead, crashes } = setUp();
    const error = new AmbryError('Unsupported', 'add a line');
    instead.mockRejectedValueOnce(error);
    port.post('a', []);
    first.crash(notLoaded);
    await turn();
    expect(crashes).toEqual([error]);
  });

  test('ends a worker that starts after the end', async () => {
    const { port, first, second, crashes } = setUp();
    port.post('a', []);
    first.crash(notLoaded);
    await port.terminate();
    await turn();
    expect(second.terminated).toBe(true);
    expect([second.posted, crashes]).toEqual([[], []]);
  });
});
