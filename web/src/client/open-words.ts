// Opening word vectors. Pages fetch this with their first ones.
import type { AmbryError } from '../errors.ts';
import type { Channel } from '../rpc/channel.ts';
import type { Calls, WireSource } from '../rpc/protocol.ts';
import type { OpenOptions } from '../types.ts';
import { keepWorker } from './connect.ts';
import { Model } from './model.ts';
import type { Platform } from './platform.ts';
import { transferOf } from './wire-source.ts';
import { WordsOfModel } from './words.ts';

/** A model of words that a worker holds. */
export function modelOf(
  channel: Channel<Calls>,
  opened: Calls['open']['out'],
  options: OpenOptions,
): Model {
  const { words } = opened.info;
  return new Model(channel, opened, options, words ? new WordsOfModel(channel, words) : null);
}

/** Opens it by a worker for words. `refusal` is what one for encoders said of it. */
export async function openWords(
  platform: Platform,
  wire: WireSource,
  options: OpenOptions,
  refusal?: AmbryError,
): Promise<Model> {
  // A worker that does everything has seen it already.
  if (refusal && platform.whole) throw refusal;
  const { weights = 'as-stored', mode } = options;
  try {
    return await keepWorker(
      platform,
      withWordsWorker(platform, options),
      'all',
      async (channel) => {
        const input = { source: wire, weights, ...(mode && { mode }) };
        const transfer = transferOf(wire);
        const opened = await channel.call('open', input, { ...options, transfer });
        return modelOf(channel, opened, options);
      },
    );
  } catch (error) {
    throw refusal && (error as AmbryError).code === 'BadMagic' ? refusal : error;
  }
}

/** The small worker for words; but WebAssembly that a caller brings goes with the large one, and in Node
 *  there is no other. */
function withWordsWorker(platform: Platform, options: OpenOptions): OpenOptions {
  const { wasmUrl, wasmBinary, wasmModule, createWorker } = options;
  const brought = [wasmUrl, wasmBinary, wasmModule, createWorker];
  if (platform.whole || brought.some((given) => given !== undefined)) return options;
  const spawn = () =>
    // Spelled out so that bundlers see it.
    new Worker(new URL('../worker/words-worker.js', import.meta.url), { type: 'module' });
  return { ...options, createWorker: spawn };
}
