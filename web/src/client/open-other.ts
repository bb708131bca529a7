// Opening what is no encoder: word vectors, and networks for pictures. Pages fetch this with their first
// ones.
import type { AmbryError } from '../errors.ts';
import type { Channel } from '../rpc/channel.ts';
import type { Calls, WireSource } from '../rpc/protocol.ts';
import type { OpenOptions } from '../types.ts';
import { Model } from './model.ts';
import { isForeign, openByOwnWorker } from './own-worker.ts';
import type { Platform } from './platform.ts';
import { WordsOfModel } from './words.ts';

/** A model that a worker holds. */
export async function modelOf(
  platform: Platform,
  channel: Channel<Calls>,
  opened: Calls['open']['out'],
  options: OpenOptions,
): Promise<Model> {
  if (opened.info.classifier) {
    const { classifierOf } = await import('./open-classifier.ts');
    return classifierOf(platform, options)(channel, opened);
  }
  return wordsModel(channel, opened, options);
}

function wordsModel(
  channel: Channel<Calls>,
  opened: Calls['open']['out'],
  options: OpenOptions,
): Model {
  const { words } = opened.info;
  return new Model(channel, opened, options, words ? new WordsOfModel(channel, words) : null);
}

/** Opens it by a small worker. `refusal` is what one for encoders said of it. */
export async function openOther(
  platform: Platform,
  wire: WireSource,
  options: OpenOptions,
  refusal?: AmbryError,
): Promise<Model> {
  // A worker that does everything has seen it already.
  if (refusal && platform.whole) throw refusal;
  const classifier = async () => (await import('./open-classifier.ts')).openClassifier;
  if (options.mode === 'classifier') return (await classifier())(platform, wire, options);
  const spawn = () =>
    // Spelled out so that bundlers see it.
    new Worker(new URL('../worker/words-worker.js', import.meta.url), { type: 'module' });
  try {
    return await openByOwnWorker(platform, wire, options, spawn, (channel, opened) =>
      wordsModel(channel, opened, options),
    );
  } catch (error) {
    if (!refusal || !isForeign(error)) throw error;
  }
  try {
    return await (await classifier())(platform, wire, options);
  } catch (error) {
    throw isForeign(error) ? refusal : error;
  }
}
