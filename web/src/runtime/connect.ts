// Workers for one thing each: a model, a tokenizer, an index, or a single job that ends with its call.

import { AmbryError } from '../base/errors.ts';
import { isCustom } from '../platform/custom-wasm.ts';
import type { Platform, WorkerName } from '../platform/platform.ts';
import type { Greeting, RuntimeOptions } from '../platform/types.ts';
import { Channel } from '../rpc/channel.ts';
import type { CallMap } from '../rpc/protocol.ts';
import { ownBytes } from '../sources/wire-source.ts';

/** A batch of long texts can keep a model busy for seconds. Ending its worker would lose the weights. */
export const modelGraceMs = 30_000;

/** RuntimeOptions as they were destructured. */
export type Runtime = {
  readonly [K in keyof RuntimeOptions]?: RuntimeOptions[K] | undefined;
};

/** A channel to a worker, and what it takes to start more workers like it. */
export interface Connection<C extends CallMap<C>> {
  readonly channel: Channel<C>;
  readonly platform: Platform;
  readonly runtime: Runtime;
  readonly worker: WorkerName;
  /** Channels to further workers, which end together with this one. */
  readonly further: Set<{ close(): Promise<void> }>;
}

/** `graceMs` is the time that a cancelled call has to stop before the worker is ended. */
export function connect<C extends CallMap<C>>(
  platform: Platform,
  options: Runtime,
  worker: WorkerName,
  graceMs?: number,
  onCrash?: (reason: string) => void,
): Connection<C> {
  const { wasmUrl, wasmBinary, wasmModule, deterministic, createWorker } = options;
  const runtime = { wasmUrl, wasmBinary, wasmModule, deterministic, createWorker };
  const greeting: Greeting = {
    worker,
    wasmUrl: wasmUrl === undefined ? undefined : platform.absolute(wasmUrl),
    wasmBinary: wasmBinary === undefined ? undefined : ownBytes(wasmBinary),
    wasmModule: wasmModule ?? platform.wasmModule,
    deterministic,
  };
  const channel = new Channel<C>({
    start: () =>
      createWorker
        ? platform.adopt(madeBy(createWorker))
        : platform.spawn(isCustom(greeting) ? 'all' : worker),
    greeting,
    ...(graceMs !== undefined && { graceMs }),
    onCrash,
  });
  return { channel, platform, runtime, worker, further: new Set() };
}

/** The worker that the caller's function makes. */
function madeBy(createWorker: () => Worker): Worker {
  const worker: Partial<Worker> | undefined = createWorker();
  if (typeof worker?.postMessage === 'function') {
    return worker as Worker;
  }
  const path = 'options.createWorker';
  throw new AmbryError('BadValue', 'The function must return a Worker.', { path });
}

/** Runs `work` with a worker of its own, which ends with it. */
export async function withWorker<C extends CallMap<C>, T>(
  platform: Platform,
  options: Runtime,
  worker: WorkerName,
  work: (channel: Channel<C>) => Promise<T>,
): Promise<T> {
  const { channel } = connect<C>(platform, options, worker);
  try {
    return await work(channel);
  } finally {
    await channel.close();
  }
}

/** Starts a worker that stays when `open` succeeds and ends when it does not. */
export async function keepWorker<C extends CallMap<C>, T>(
  platform: Platform,
  options: Runtime,
  worker: WorkerName,
  open: (connection: Connection<C>) => Promise<T>,
  onCrash?: (reason: string) => void,
): Promise<T> {
  const connection = connect<C>(platform, options, worker, modelGraceMs, onCrash);
  try {
    return await open(connection);
  } catch (error) {
    await connection.channel.close();
    throw error;
  }
}
