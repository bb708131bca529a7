// The worker's end of the line: runs the handler of each call, with a signal that the page's `cancel`
// aborts and a progress report that is throttled and never goes back. An error that is not one of
// ours is a trap or a bug; the worker says `fatal` then, because its heap can no longer be trusted.
import { AmbryError, isAbort, messageOf, toWire } from '../base/errors.ts';
import { Meter } from './meter.ts';
import type { Movable } from './port.ts';
import type { CallMap, FromWorker, ToWorker } from './protocol.ts';
import type { Progress } from './types.ts';

export interface CallContext {
  readonly signal: AbortSignal;
  /** Cheap enough to call for every chunk. */
  readonly report: (progress: Progress) => void;
  /** Buffers of the result to move instead of copying. */
  readonly transfer: Movable[];
}

export type Handlers<C extends CallMap<C>> = {
  [K in keyof C]: (input: C[K]['in'], context: CallContext) => Promise<C[K]['out']>;
};

type Post = (message: FromWorker, transfer: readonly Movable[]) => void;

/** Gives the function that takes every message of the page. */
export function serve<C extends CallMap<C>, Greeting>(
  post: Post,
  makeHandlers: (greeting: Greeting) => Handlers<C>,
): (message: unknown) => void {
  const running = new Map<number, AbortController>();
  let handlers: Handlers<C> | undefined;

  async function run(id: number, call: keyof C, input: unknown): Promise<void> {
    if (!handlers) {
      return post({ fatal: 'a call came before the greeting' }, []);
    }
    const controller = new AbortController();
    running.set(id, controller);
    const meter = new Meter((progress) => post({ id, progress }, []));
    const transfer: Movable[] = [];
    try {
      const context = { signal: controller.signal, report: meter.report, transfer };
      const out = await handlers[call](input as C[typeof call]['in'], context);
      meter.flush();
      post({ id, ok: true, out }, transfer);
    } catch (error) {
      if (isAbort(error)) {
        post({ id, cancelled: true }, []);
      } else if (error instanceof AmbryError) {
        post({ id, ok: false, error: toWire(error) }, []);
      } else {
        post({ fatal: messageOf(error) }, []);
      }
    } finally {
      running.delete(id);
    }
  }

  return (message) => {
    const request = message as ToWorker<C>;
    if ('greeting' in request) {
      handlers = makeHandlers(request.greeting as Greeting);
    } else if ('cancel' in request) {
      running.get(request.id)?.abort();
    } else {
      void run(request.id, request.call, request.in);
    }
  };
}
