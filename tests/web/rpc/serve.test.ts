// The worker's end: handlers, errors, cancelling, and progress that never goes back.
import { describe, expect, test } from 'vitest';
import { AmbryError } from '../../../web/src/base/errors.ts';
import type { FromWorker } from '../../../web/src/rpc/protocol.ts';
import { type CallContext, serve } from '../../../web/src/rpc/serve.ts';

type TestCalls = { run: { in: null; out: string } };

function setUp(run: (context: CallContext) => Promise<string>) {
  const posted: FromWorker[] = [];
  const transferred: Transferable[] = [];
  const receive = serve<TestCalls, string>(
    (message, transfer) => {
      posted.push(message);
      transferred.push(...transfer);
    },
    (greeting) => ({ run: (_, context) => run(context).then((out) => `${greeting} ${out}`) }),
  );
  receive({ greeting: 'well' });
  return { posted, transferred, receive, call: () => receive({ id: 7, call: 'run', in: null }) };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 10));

describe('serve', () => {
  test('answers with the handler’s result, and transfers its buffers', async () => {
    const buffer = new ArrayBuffer(4);
    const { posted, transferred, call } = setUp(async ({ transfer }) => {
      transfer.push(buffer);
      return 'done';
    });
    call();
    await settled();
    expect(posted).toEqual([{ id: 7, ok: true, out: 'well done' }]);
    expect(transferred).toEqual([buffer]);
  });

  test('sends an AmbryError as plain data, with its stack', async () => {
    const { posted, call } = setUp(async () => {
      throw new AmbryError('Truncated', 'short', { byteOffset: 9, path: 'header' });
    });
    call();
    await settled();
    const error = { code: 'Truncated', message: 'short', byteOffset: 9, path: 'header' };
    const stack = expect.stringContaining('serve.test.ts');
    expect(posted).toEqual([{ id: 7, ok: false, error: { ...error, stack } }]);
  });

  test('other errors are fatal, like a trap', async () => {
    const { posted, call } = setUp(async () => {
      throw new WebAssembly.RuntimeError('unreachable');
    });
    call();
    await settled();
    expect(posted).toEqual([{ fatal: 'unreachable' }]);
  });

  test('a cancel aborts the signal of its call', async () => {
    const { posted, receive, call } = setUp(
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    call();
    receive({ id: 7, cancel: true });
    await settled();
    expect(posted).toEqual([{ id: 7, cancelled: true }]);
  });

  test('progress of every phase arrives, however short the phase is', async () => {
    const { posted, call } = setUp(async ({ report }) => {
      for (const phase of ['load', 'calibrate', 'convert'] as const) {
        for (const loaded of [0, 1, 2]) {
          report({ phase, loaded, total: 2, cached: false });
        }
      }
      return 'done';
    });
    call();
    await settled();
    const ends = posted.flatMap((message) =>
      'progress' in message && message.progress.loaded === 2 ? [message.progress.phase] : [],
    );
    expect(ends).toEqual(['load', 'calibrate', 'convert']);
  });

  test('progress is throttled, never decreases, and ends with the last report', async () => {
    const { posted, call } = setUp(async ({ report }) => {
      for (const loaded of [1, 2, 5, 3, 4, 10]) {
        report({ phase: 'load', loaded, total: 10, cached: false });
      }
      return 'done';
    });
    call();
    await settled();
    const loaded = posted.flatMap((message) =>
      'progress' in message ? [message.progress.loaded] : [],
    );
    expect(loaded.length).toBeLessThanOrEqual(2);
    expect(loaded.at(-1)).toBe(10);
    expect(posted.at(-1)).toEqual({ id: 7, ok: true, out: 'well done' });
  });

  test('a new note always arrives, once, also with progress that goes back', async () => {
    const { posted, call } = setUp(async ({ report }) => {
      const notes = [undefined, 'lost', 'lost', undefined, 'full'];
      for (const [i, loaded] of [5, 3, 3, 6, 6].entries()) {
        report({ phase: 'generate', loaded, total: 9, cached: false, note: notes[i] });
      }
      return 'done';
    });
    call();
    await settled();
    const noted = posted.flatMap((message) =>
      'progress' in message && message.progress.note !== undefined
        ? [[message.progress.note, message.progress.loaded]]
        : [],
    );
    expect(noted).toEqual([
      ['lost', 5],
      ['full', 6],
    ]);
  });
});
