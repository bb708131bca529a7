// Workers for what is no encoder, and files that only a further one of them may know.
import type { AmbryError } from '../errors.ts';
import type { Channel } from '../rpc/channel.ts';
import type { Calls, WireSource } from '../rpc/protocol.ts';
import { keepWorker } from '../runtime/connect.ts';
import type { Platform, Purpose } from '../runtime/platform.ts';
import type { Model } from './model.ts';
import type { OpenOptions } from './types.ts';
import { transferOf } from './wire-source.ts';

export type MakeModel = (channel: Channel<Calls>, opened: Calls['open']['out']) => Model;

export function openByOwnWorker(
  platform: Platform,
  wire: WireSource,
  options: OpenOptions,
  purpose: Purpose,
  make: MakeModel,
): Promise<Model> {
  const { weights, mode, kv, context, resident } = options;
  return keepWorker(platform, options, purpose, async (channel) => {
    const input = { source: wire, weights, kv, context, resident, ...(mode && { mode }) };
    const transfer = transferOf(wire);
    return make(channel, await channel.call('open', input, { ...options, transfer }));
  });
}

export const isForeign = (error: unknown) => (error as AmbryError).code === 'BadMagic';
