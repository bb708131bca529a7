// The caller's side of one worker. A worker that is too slow, or whose call is aborted, is terminated, because the
// libraries in it cannot be interrupted.
import { AmbryError, fromWire } from '../../base/errors.ts';
import type { DocumentRead } from '../base/types.ts';
import { type PassageBatch, PassageList } from './passage-batches.ts';
import type { Crash, FromReader, ReaderPort, ReadRequest } from './protocol.ts';
import { StepTimeout } from './step-timeout.ts';

export interface CallerOptions {
  readonly count?: ((texts: readonly string[]) => Promise<ArrayLike<number>>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** There is no worker, or its script could not be loaded. What it would read is read without it. */
export class NoWorker extends Error {}

interface Call {
  readonly path: string;
  readonly count: CallerOptions['count'];
  readonly list: PassageList;
  readonly timeout: StepTimeout;
  readonly resolve: (read: DocumentRead) => void;
  readonly reject: (reason: unknown) => void;
}

export class DocumentReader {
  readonly #port: ReaderPort;
  #isReady = false;
  #isEnded = false;
  #call: Call | undefined;

  constructor(port: ReaderPort) {
    this.#port = port;
    port.listen(
      (message) => this.#receive(message),
      (crash) => this.#crash(crash),
    );
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Reads one document. The memory of `request.bytes` moves to the worker. */
  async read(request: ReadRequest, { count, signal }: CallerOptions): Promise<DocumentRead> {
    let stop = () => {};
    try {
      return await new Promise<DocumentRead>((resolve, reject) => {
        const { path, bytes } = request;
        const timeout = new StepTimeout(path, bytes.length, (error) => this.#fail(error));
        this.#call = { path, count, list: new PassageList(path), timeout, resolve, reject };
        stop = () => this.#fail(signal?.reason);
        signal?.addEventListener('abort', stop);
        this.#port.hold(true);
        this.#port.post({ read: request }, [bytes.buffer]);
        timeout.start();
      });
    } finally {
      signal?.removeEventListener('abort', stop);
      this.#call?.timeout.stop();
      this.#call = undefined;
      this.#port.hold(false);
    }
  }

  end(): void {
    this.#isEnded = true;
    this.#port.terminate();
  }

  #receive(message: unknown): void {
    if (typeof message !== 'object' || message === null || this.#isEnded) {
      return;
    }
    const news = message as FromReader;
    if ('ready' in news) {
      this.#isReady = true;
    }
    const call = this.#call;
    if (!call) {
      return;
    }
    call.timeout.start('step' in news ? news.step : undefined);
    if ('count' in news) {
      void this.#count(call, news.count);
    } else if ('batch' in news) {
      this.#take(call, news.batch);
    } else if ('done' in news) {
      call.resolve({ passages: call.list.passages, ...news.done });
    } else if ('problem' in news) {
      call.reject(fromWire(news.problem));
    } else if ('fatal' in news) {
      this.#fail(crashed(call.path, news.fatal));
    }
  }

  #take(call: Call, batch: PassageBatch): void {
    call.list.add(batch);
    this.#port.post({ more: true }, []);
  }

  /** The caller may take its time. */
  async #count(call: Call, texts: readonly string[]): Promise<void> {
    call.timeout.stop();
    try {
      const counts = Array.from((await call.count?.(texts)) ?? []);
      if (this.#call !== call || this.#isEnded) {
        return;
      }
      call.timeout.start();
      this.#port.post({ counts }, []);
    } catch (error) {
      if (this.#call === call) {
        this.#fail(error);
      }
    }
  }

  #crash({ reason, isOutOfMemory }: Crash): void {
    const path = this.#call?.path ?? '';
    if (!this.#isReady) {
      this.#fail(new NoWorker(reason));
    } else {
      this.#fail(isOutOfMemory ? outOfMemory(path) : crashed(path, reason));
    }
  }

  #fail(reason: unknown): void {
    this.end();
    this.#call?.reject(reason);
  }
}

function crashed(path: string, reason: string): AmbryError {
  return new AmbryError('Crashed', `The worker that read ${path} stopped: ${reason}`);
}

function outOfMemory(path: string): AmbryError {
  const message = `${path} needs more memory than the worker may have. Split it into smaller files.`;
  return new AmbryError('LimitExceeded', message);
}
