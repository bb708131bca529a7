// Classifying on the caller's side.
import type { Channel } from '../rpc/channel.ts';
import type { Calls } from '../rpc/protocol.ts';
import type { Platform } from '../runtime/platform.ts';
import { wireInput } from './input.ts';
import type { Classification, ClassifierInput, ClassifyOptions } from './types.ts';

export async function classify(
  platform: Platform,
  channel: Channel<Calls>,
  given: ClassifierInput,
  options: ClassifyOptions,
): Promise<Classification> {
  const { signal, onProgress, plan, ...settings } = options;
  const input = {
    input: await wireInput(platform, given),
    plan: plan === undefined ? null : typeof plan === 'string' ? plan : JSON.stringify(plan),
    settings,
  };
  signal?.throwIfAborted();
  return channel.call('classify', input, { signal, onProgress });
}
