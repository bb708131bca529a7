// Workers for one thing each: a model, a tokenizer, an index, or a single job that ends with its call.
import { Channel } from '../rpc/channel.ts';
import type { Calls, Greeting } from '../rpc/protocol.ts';
import type { RuntimeOptions } from '../rpc/types.ts';
import type { Platform, Purpose } from './platform.ts';

/** A batch of long texts may keep a model busy for seconds; ending its worker would lose the weights. */
const kPatienceMs = 30_000;

/** RuntimeOptions as they were destructured. */
export type Runtime = {
  readonly [K in keyof RuntimeOptions]?: RuntimeOptions[K] | undefined;
};

export function connect(
  platform: Platform,
  options: Runtime,
  purpose: Purpose,
  graceMs?: number,
): Channel<Calls> {
  const { wasmUrl, wasmBinary, wasmModule, deterministic, createWorker } = options;
  // WebAssembly that a caller brings is the module with everything, and goes with that one's glue.
  const brought = wasmUrl !== undefined || wasmBinary !== undefined || wasmModule !== undefined;
  const greeting: Greeting = {
    wasmUrl: wasmUrl === undefined ? undefined : platform.absolute(wasmUrl),
    wasmBinary: wasmBinary === undefined ? undefined : ownBytes(wasmBinary),
    wasmModule,
    deterministic,
  };
  return new Channel<Calls>({
    start: () =>
      createWorker ? platform.adopt(createWorker()) : platform.spawn(brought ? 'all' : purpose),
    greeting,
    ...(graceMs !== undefined && { graceMs }),
  });
}

/** Runs `work` with a worker of its own that ends with it. */
export async function withWorker<T>(
  platform: Platform,
  options: Runtime,
  purpose: Purpose,
  work: (channel: Channel<Calls>) => Promise<T>,
): Promise<T> {
  const channel = connect(platform, options, purpose);
  try {
    return await work(channel);
  } finally {
    await channel.close();
  }
}

/** A worker that stays when `open` succeeds, and ends when it does not. */
export async function keepWorker<T>(
  platform: Platform,
  options: Runtime,
  purpose: Purpose,
  open: (channel: Channel<Calls>) => Promise<T>,
): Promise<T> {
  const channel = connect(platform, options, purpose, kPatienceMs);
  try {
    return await open(channel);
  } catch (error) {
    await channel.close();
    throw error;
  }
}

/** Bytes in a buffer of just their size: a view would cross with all of the buffer it looks into. */
export function ownBytes(bytes: ArrayBuffer | Uint8Array): Uint8Array<ArrayBuffer> {
  if (bytes instanceof ArrayBuffer) return new Uint8Array(bytes);
  const whole = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
  return whole ? new Uint8Array(bytes.buffer as ArrayBuffer) : new Uint8Array(bytes);
}
