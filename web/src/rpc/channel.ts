// The page's end of the line to a worker: numbered calls, transfers, progress, cancelling, and what
// happens when the worker dies. It knows no call by name; protocol.ts has those.
import { AmbryError, abortError, fromWire, messageOf } from '../base/errors.ts';
import type { CrashReason, Movable, Port } from './port.ts';
import type { CallMap, FromWorker, ToWorker } from './protocol.ts';
import type { Progress } from './types.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Buffers to move instead of copying; they are empty on this side afterwards. */
  readonly transfer?: readonly Movable[];
}

interface ChannelOptions {
  /** Makes a worker; called for the first call, and for the first one after a crash. */
  readonly start: () => Port;
  readonly greeting?: unknown;
  /** How long a cancelled call may go on before its worker is terminated. */
  readonly graceMs?: number;
  /** Called when the worker dies, also while no call runs. */
  readonly onCrash?: ((reason: string) => void) | undefined;
}

interface Pending {
  readonly settle: () => void;
  readonly resolve: (out: never) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

const defaultGraceMs = 2000;

export class Channel<C extends CallMap<C>> {
  readonly #options: ChannelOptions;
  readonly #pending = new Map<number, Pending>();
  /** Calls that were cancelled and have not stopped yet, with the timers that end the worker. */
  readonly #stopping = new Map<number, ReturnType<typeof setTimeout>>();
  #port: Port | undefined;
  #lastId = 0;
  #closing: Promise<void> | undefined;
  #onIdle: (() => void) | undefined;

  constructor(options: ChannelOptions) {
    this.#options = options;
  }

  call<K extends keyof C>(
    name: K,
    input: C[K]['in'],
    options: CallOptions = {},
  ): Promise<C[K]['out']> {
    const { signal, onProgress, transfer = [] } = options;
    return new Promise((resolve, reject) => {
      if (this.#closing) {
        throw new AmbryError('Cancelled', 'This was disposed of already.');
      }
      if (signal?.aborted) {
        throw abortError(signal);
      }
      const port = this.#connect();
      const id = ++this.#lastId;
      const onAbort = () => this.#cancel(id, abortError(signal));
      const settle = () => {
        signal?.removeEventListener('abort', onAbort);
        this.#pending.delete(id);
        this.#rest();
      };
      this.#pending.set(id, { settle, resolve, reject, onProgress });
      signal?.addEventListener('abort', onAbort, { once: true });
      try {
        port.hold(true);
        port.post({ id, call: name, in: input } satisfies ToWorker<C>, transfer);
      } catch (error) {
        settle();
        throw notSent(error);
      }
    });
  }

  /** Whether there is a worker, which has not crashed. */
  get isRunning(): boolean {
    return this.#port !== undefined && !this.#closing;
  }

  /** Waits for cancelled calls to stop (a worker may have files to remove), then ends the worker. */
  close(reason = 'This was disposed of while the call ran.'): Promise<void> {
    this.#closing ??= this.#close(reason);
    return this.#closing;
  }

  async #close(reason: string): Promise<void> {
    for (const id of [...this.#pending.keys()]) {
      this.#cancel(id, new AmbryError('Cancelled', reason));
    }
    if (this.#stopping.size > 0) {
      await new Promise<void>((resolve) => (this.#onIdle = resolve));
    }
    await this.#drop();
  }

  #connect(): Port {
    if (this.#port) {
      return this.#port;
    }
    const port = this.#options.start();
    port.listen(
      (message) => this.#port === port && this.#receive(message as FromWorker),
      (reason) => this.#port === port && this.#crash(reason),
    );
    port.post({ greeting: this.#options.greeting } satisfies ToWorker<C>, []);
    this.#port = port;
    return port;
  }

  #receive(message: FromWorker): void {
    if ('ready' in message) {
      return;
    }
    if ('fatal' in message) {
      this.#crash(message.fatal);
    } else if ('progress' in message) {
      this.#pending.get(message.id)?.onProgress?.(message.progress);
    } else {
      this.#settle(message);
    }
  }

  #settle(
    message: Exclude<FromWorker, { ready: true } | { fatal: string } | { progress: Progress }>,
  ): void {
    const pending = this.#pending.get(message.id);
    clearTimeout(this.#stopping.get(message.id));
    this.#stopping.delete(message.id);
    pending?.settle();
    this.#rest();
    if ('cancelled' in message) {
      pending?.reject(abortError());
    } else if (message.ok) {
      pending?.resolve(message.out as never);
    } else {
      pending?.reject(fromWire(message.error));
    }
  }

  #cancel(id: number, error: Error): void {
    const pending = this.#pending.get(id);
    if (!pending) {
      return;
    }
    const lostPatience = () => this.#crash('it did not stop in time after an abort');
    this.#stopping.set(id, setTimeout(lostPatience, this.#options.graceMs ?? defaultGraceMs));
    this.#port?.post({ id, cancel: true } satisfies ToWorker<C>, []);
    pending.settle();
    pending.reject(error);
  }

  /** Ends the worker as if it had died. */
  fail(reason: string): void {
    if (this.#port) {
      this.#crash(reason);
    }
  }

  #crash(reason: CrashReason): void {
    void this.#drop();
    const { code, message } =
      reason instanceof AmbryError
        ? reason
        : { code: 'Crashed' as const, message: `The worker died: ${reason}` };
    this.#options.onCrash?.(reason instanceof AmbryError ? message : reason);
    for (const pending of [...this.#pending.values()]) {
      pending.settle();
      // Each call has a caller of its own.
      pending.reject(new AmbryError(code, message));
    }
  }

  async #drop(): Promise<void> {
    const port = this.#port;
    this.#port = undefined;
    for (const timer of this.#stopping.values()) {
      clearTimeout(timer);
    }
    this.#stopping.clear();
    this.#onIdle?.();
    await port?.terminate();
  }

  #rest(): void {
    if (this.#stopping.size > 0) {
      return;
    }
    this.#onIdle?.();
    if (this.#pending.size === 0) {
      this.#port?.hold(false);
    }
  }
}

/** A function, a proxy or another thing that cannot be copied. */
function notSent(error: unknown): unknown {
  if (!(error instanceof DOMException) || error.name !== 'DataCloneError') {
    return error;
  }
  const message = `An argument cannot be sent to a worker. Give plain data. (${messageOf(error)})`;
  return new AmbryError('BadValue', message, { path: 'options', cause: error });
}
