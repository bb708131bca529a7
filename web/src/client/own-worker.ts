// Small workers for what is no encoder, and files that only a further one of them may know.
import type { AmbryError } from '../errors.ts';
import type { Channel } from '../rpc/channel.ts';
import type { Calls, WireSource } from '../rpc/protocol.ts';
import type { OpenOptions } from '../types.ts';
import { keepWorker } from './connect.ts';
import type { Model } from './model.ts';
import type { Platform } from './platform.ts';
import { transferOf } from './wire-source.ts';

export type MakeModel = (channel: Channel<Calls>, opened: Calls['open']['out']) => Model;

/** Opens it by such a worker. WebAssembly that a caller brings goes with the large worker, though, and in Node
 *  there is no other. */
export function openByOwnWorker(
  platform: Platform,
  wire: WireSource,
  options: OpenOptions,
  spawn: () => Worker,
  make: MakeModel,
): Promise<Model> {
  const { weights, mode, kv, context, resident, ...rest } = options;
  const { wasmUrl, wasmBinary, wasmModule, createWorker } = rest;
  const brought = [wasmUrl, wasmBinary, wasmModule, createWorker];
  const isLarge = platform.whole || brought.some((given) => given !== undefined);
  const runtime = isLarge ? options : { ...options, createWorker: spawn };
  return keepWorker(platform, runtime, 'all', async (channel) => {
    const input = { source: wire, weights, kv, context, resident, ...(mode && { mode }) };
    const transfer = transferOf(wire);
    return make(channel, await channel.call('open', input, { ...options, transfer }));
  });
}

export const isForeign = (error: unknown) => (error as AmbryError).code === 'BadMagic';
