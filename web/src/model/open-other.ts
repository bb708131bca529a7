// Opening what is no encoder: word vectors, networks for pictures, and models that generate text. Pages fetch
// this with their first ones.
import type { AmbryError } from '../errors.ts';
import type { Channel } from '../rpc/channel.ts';
import type { Calls, WireSource } from '../rpc/protocol.ts';
import type { Platform } from '../runtime/platform.ts';
import { WordsOfModel } from '../words/client.ts';
import { heldIn } from './held-in.ts';
import { Model } from './model.ts';
import { isForeign, openByOwnWorker } from './own-worker.ts';
import type { OpenOptions } from './types.ts';

/** A model that a worker holds. */
export async function modelOf(
  platform: Platform,
  channel: Channel<Calls>,
  opened: Calls['open']['out'],
  options: OpenOptions,
): Promise<Model> {
  switch (opened.kind) {
    case 'classifier':
      return (await import('../classifier/client.ts')).classifierOf(platform, options)(
        channel,
        opened,
      );
    case 'generator':
      return (await import('../generator/client.ts')).generatorOf(platform, options)(
        channel,
        opened,
      );
    default:
      return wordsModel(platform, channel, opened, options);
  }
}

function wordsModel(
  platform: Platform,
  channel: Channel<Calls>,
  opened: Calls['open']['out'],
  options: OpenOptions,
): Model {
  const { words } = opened.info;
  const ofModel = words ? new WordsOfModel(channel, words) : null;
  return new Model(platform, channel, opened, options, ofModel);
}

/** Opens it by a small worker. `refusal` is what one for encoders said of it. */
export async function openOther(
  platform: Platform,
  wire: WireSource,
  options: OpenOptions,
  refusal?: AmbryError,
): Promise<Model> {
  // A worker that does everything has seen it already, and a stream is there only once.
  if (refusal && (platform.whole || wire.kind === 'stream')) throw refusal;
  const { mode } = options;
  const held = mode && mode !== 'whole' ? mode : await heldIn(wire, options.signal);
  if (held === 'words' || held === 'range') return openWords(platform, wire, options);
  if (held === 'generator') {
    return (await import('../generator/client.ts')).openGenerator(platform, wire, options);
  }
  const { openClassifier } = await import('../classifier/client.ts');
  return openClassifier(platform, wire, options).catch((error) => {
    // Networks for pictures have no magic, so this was a guess.
    throw refusal && isForeign(error) ? refusal : error;
  });
}

function openWords(platform: Platform, wire: WireSource, options: OpenOptions): Promise<Model> {
  return openByOwnWorker(platform, wire, options, 'words', (channel, opened) =>
    wordsModel(platform, channel, opened, options),
  );
}
