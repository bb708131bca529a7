// Streams JSON Lines from the caller's bytes through a worker, or through a parser on the caller's thread.
import { type Caller, callerOf, refuseWrong, withCaller } from '../../base/call.ts';
import { AmbryError } from '../../base/errors.ts';
import { callback, isSomeObject, type Kind, signal, text } from '../../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../../base/options.ts';
import { Yielder } from '../../base/yielder.ts';
import type { ReadRecords, RecordOptions, StreamedRecord } from '../base/types.ts';
import { type RecordOrError, RecordParser } from './record-parser.ts';

/** Reads the records of one source, in order. */
export interface RecordSession {
  /** Gives the records that end in the next bytes. Without bytes, gives the last record. */
  read(bytes: Uint8Array | undefined): AsyncIterable<readonly RecordOrError[]>;
  /** Called in the end, also after an error. */
  close(): void;
}

/** Begins a session. Undefined where there is no worker. */
export type OpenSession = (
  name: string,
  signal: AbortSignal | undefined,
) => Promise<RecordSession | undefined>;

/** A caller's chunk is read in parts of this size, so that reading can be aborted between them. */
const maxPartBytes = 1 << 18;

const recordOptionNames: OptionNames<RecordOptions> = {
  onBadLine: callback,
  name: text,
  signal,
};

const byteStream: Kind = {
  words: 'a stream of bytes, such as file.stream()',
  is: (value) => isSomeObject(value) && ('getReader' in value || Symbol.asyncIterator in value),
};

type Records = AsyncGenerator<StreamedRecord>;

export function recordReader(open: OpenSession): ReadRecords {
  const readRecords: ReadRecords = (stream, options) =>
    withCallerIn(read(stream, options), callerOf(readRecords));
  return readRecords;

  async function* read(...[stream, options = {}]: Parameters<ReadRecords>): Records {
    await (refuseWrong([stream], { stream: byteStream }) ??
      refuseUnknown(options, recordOptionNames));
    const { name = 'standard input', signal } = options;
    signal?.throwIfAborted();
    const session = (await open(name, signal)) ?? sessionHere(name, signal);
    // Node hands over up to a thousand answers of the worker without a break, if they come fast enough.
    const yielder = new Yielder(signal);
    try {
      for await (const part of partsOf(stream, signal)) {
        for await (const found of session.read(part)) {
          await yielder.yieldIfDue();
          yield* goodOnes(found, options);
        }
      }
      for await (const found of session.read(undefined)) {
        yield* goodOnes(found, options);
      }
    } finally {
      session.close();
    }
  }
}

async function* withCallerIn(records: Records, caller: Caller): Records {
  try {
    yield* records;
  } catch (error) {
    throw withCaller(error, caller);
  }
}

function* goodOnes(
  found: readonly RecordOrError[],
  { onBadLine, signal }: RecordOptions,
): Generator<StreamedRecord> {
  for (const each of found) {
    signal?.throwIfAborted();
    if (!(each instanceof Error)) {
      yield each;
    } else if (onBadLine) {
      onBadLine(each);
    } else {
      throw each;
    }
  }
}

function sessionHere(name: string, signal: AbortSignal | undefined): RecordSession {
  const parser = new RecordParser(name);
  const yielder = new Yielder(signal);
  return {
    async *read(bytes) {
      for (const record of bytes ? parser.push(bytes) : parser.finish()) {
        await yielder.yieldIfDue();
        yield [record];
      }
    },
    close: () => {},
  };
}

async function* partsOf(
  stream: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const source = sourceOf(stream);
  try {
    for (;;) {
      const { done, value } = await unlessAborted(source.next(), signal);
      if (done) {
        return;
      }
      for (let at = 0; at < value.length; at += maxPartBytes) {
        yield value.subarray(at, at + maxPartBytes);
      }
    }
  } finally {
    const ending = source.end();
    // A source that waits for bytes may never end.
    if (signal?.aborted) {
      ending.catch(() => {});
    } else {
      await ending;
    }
  }
}

interface Source {
  next(): Promise<IteratorResult<Uint8Array, unknown>>;
  end(): Promise<unknown>;
}

/** Some browsers cannot iterate over a stream. */
function sourceOf(stream: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): Source {
  if ('getReader' in stream) {
    if (stream.locked) {
      const message = 'Something else reads the stream already. Open another one.';
      throw new AmbryError('BadValue', message, { path: 'stream' });
    }
    const reader = stream.getReader();
    return {
      next: async () => {
        const { done, value } = await reader.read();
        return done ? { done, value } : { done, value };
      },
      end: () => reader.cancel(),
    };
  }
  const iterator = stream[Symbol.asyncIterator]();
  return { next: () => iterator.next(), end: async () => iterator.return?.() };
}

/** Rejects with the signal's reason after an abort, whether or not the promise ever settles. */
export async function unlessAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (!signal) {
    return promise;
  }
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) {
      stop();
    }
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
