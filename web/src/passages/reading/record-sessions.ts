// The caller's side of `readRecords`. One worker reads all sources, so that any number of them may be open at once.
import { AmbryError, fromWire } from '../../base/errors.ts';
import { type OpenSession, type RecordSession, unlessAborted } from '../records/record-stream.ts';
import { NoWorker } from './document-reader.ts';
import type { Crash, FromReader, ReaderPort, RecordsAnswer, RecordsRequest } from './protocol.ts';
import { idleMs, type StartReader } from './reader-pool.ts';

/** Opens sessions in a worker. It ends when it was idle for a while. */
export function recordSessions(start: StartReader | undefined): OpenSession {
  let canStart = start !== undefined;
  let worker: RecordWorker | undefined;
  return async (name, signal) => {
    if (!start || !canStart) {
      return undefined;
    }
    try {
      if (!worker || worker.isEnded) {
        worker = new RecordWorker(start('documents', name));
      }
      return await worker.open(name, signal);
    } catch (error) {
      if (!(error instanceof NoWorker)) {
        throw error;
      }
      // A page's policy or its bundler leaves out the script. That stays so.
      canStart = false;
      return undefined;
    }
  };
}

interface Waiting {
  readonly resolve: (answer: RecordsAnswer) => void;
  readonly reject: (reason: unknown) => void;
}

type Body<T> = T extends unknown ? Omit<T, 'id'> : never;

class RecordWorker {
  isEnded = false;
  readonly #port: ReaderPort;
  readonly #waiting = new Map<number, Waiting>();
  readonly #open = new Set<number>();
  #isReady = false;
  #lastId = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(port: ReaderPort) {
    this.#port = port;
    port.listen(
      (message) => this.#receive(message),
      (crash) => this.#crash(crash),
    );
  }

  async open(name: string, signal: AbortSignal | undefined): Promise<RecordSession> {
    const id = ++this.#lastId;
    clearTimeout(this.#idle);
    this.#open.add(id);
    this.#port.hold(true);
    const ask = (body: Body<RecordsRequest>, memory: readonly ArrayBuffer[] = []) =>
      unlessAborted(this.#ask({ id, ...body } as RecordsRequest, memory), signal);
    const close = () => this.#close(id);
    try {
      await ask({ open: name });
    } catch (error) {
      close();
      throw error;
    }
    return { read: (bytes) => answers(ask, bytes), close };
  }

  #ask(request: RecordsRequest, memory: readonly ArrayBuffer[]): Promise<RecordsAnswer> {
    return new Promise((resolve, reject) => {
      if (this.isEnded) {
        throw crashed('it ended');
      }
      this.#waiting.set(request.id, { resolve, reject });
      this.#port.post({ records: request }, memory);
    });
  }

  #close(id: number): void {
    this.#waiting.delete(id);
    if (!this.#open.delete(id) || this.isEnded) {
      return;
    }
    this.#port.post({ records: { id, close: true } }, []);
    if (this.#open.size > 0) {
      return;
    }
    this.#port.hold(false);
    this.#idle = setTimeout(() => this.#end(), idleMs);
    // In Node, a timer would keep the process alive.
    (this.#idle as { unref?: () => void }).unref?.();
  }

  #receive(message: unknown): void {
    if (typeof message !== 'object' || message === null || this.isEnded) {
      return;
    }
    const news = message as FromReader;
    if ('ready' in news) {
      this.#isReady = true;
    }
    if (!('records' in news)) {
      return;
    }
    const answer = news.records;
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.problem) {
      waiting?.reject(fromWire(answer.problem));
    } else if (answer.fatal !== undefined) {
      waiting?.reject(crashed(answer.fatal));
    } else {
      waiting?.resolve(answer);
    }
  }

  #crash({ reason, isOutOfMemory }: Crash): void {
    const error = isOutOfMemory ? outOfMemory() : crashed(reason);
    this.#end(this.#isReady ? error : new NoWorker(reason));
  }

  #end(error: Error = crashed('it was idle')): void {
    this.isEnded = true;
    this.#port.terminate();
    for (const { reject } of this.#waiting.values()) {
      reject(error);
    }
    this.#waiting.clear();
  }
}

type Ask = (body: Body<RecordsRequest>, memory?: readonly ArrayBuffer[]) => Promise<RecordsAnswer>;

async function* answers(ask: Ask, bytes: Uint8Array | undefined) {
  // The worker takes the memory, and the caller's stays as it is: it may be a part of a larger buffer.
  const copy = bytes && new Uint8Array(bytes);
  let answer = copy ? await ask({ bytes: copy }, [copy.buffer]) : await ask({ finish: true });
  for (;;) {
    yield (answer.found ?? []).map((each) =>
      'record' in each ? each.record : fromWire(each.problem),
    );
    if (answer.isDone) {
      return;
    }
    answer = await ask({ more: true });
  }
}

function crashed(reason: string): AmbryError {
  return new AmbryError('Crashed', `The worker that read records stopped: ${reason}`);
}

function outOfMemory(): AmbryError {
  const message = 'A record needs more memory than the worker may have. Split it.';
  return new AmbryError('LimitExceeded', message);
}
