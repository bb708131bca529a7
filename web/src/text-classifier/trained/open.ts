// Opens the file of a trained classifier. Pages fetch this file with the first one.
import { refuseWrong } from '../../base/call.ts';
import { AmbryError } from '../../base/errors.ts';
import type { Kind } from '../../base/kinds.ts';
import type { TensorCalls } from '../../model/protocol.ts';
import type { ClassifierEncoder, OpenOptions } from '../../model/types.ts';
import type { Platform } from '../../platform/platform.ts';
import { withWorker } from '../../runtime/connect.ts';
import type { WireSource } from '../../sources/base/wire.ts';
import { transferOf } from '../../sources/wire-source.ts';
import { TrainedClassifier } from './client.ts';
import { checkSameEncoder, described, isEncoder } from './encoder.ts';
import { biasName, weightName } from './file-facts.ts';
import { mostBytes, type ReadClassifier, readClassifier } from './read.ts';

const encoderKind: Kind = { words: 'an opened encoder', is: isEncoder };

/** Without an encoder it rejects and says which one the file wants. */
export async function openTrained(
  platform: Platform,
  wire: WireSource,
  options: OpenOptions,
): Promise<TrainedClassifier> {
  const { encoder: given, quantize, signal } = options;
  if (quantize) {
    const message = 'The weights of a trained classifier are not quantized.';
    throw new AmbryError('Unsupported', message, { path: 'options.quantize' });
  }
  const { facts, weights } = await readFrom(platform, wire, options);
  if (!given) {
    throw withoutEncoder(facts.encoder);
  }
  const { probe: _, ...wanted } = facts.encoder;
  const own = typeof given === 'function';
  const encoder = own ? await given(wanted) : given;
  await refuseWrong([encoder], { 'options.encoder': encoderKind });
  try {
    await checkSameEncoder(encoder, facts.encoder, signal);
  } catch (error) {
    await (own ? encoder.dispose() : undefined);
    throw error;
  }
  return new TrainedClassifier(encoder, facts, weights, own);
}

function readFrom(
  platform: Platform,
  wire: WireSource,
  options: OpenOptions,
): Promise<ReadClassifier> {
  const input = { source: wire, names: [weightName, biasName], most: mostBytes };
  const { signal, onProgress } = options;
  return withWorker<TensorCalls, ReadClassifier>(platform, options, 'inspect', async (channel) => {
    const call = { signal, onProgress, transfer: transferOf(wire) };
    return readClassifier(await channel.call('readTensors', input, call));
  });
}

function withoutEncoder(encoder: ClassifierEncoder): AmbryError {
  const message = `The file is a classifier that was trained with an encoder (${described(encoder)}). Open that encoder, and give it as the option encoder.`;
  return new AmbryError('BadValue', message, { path: 'options.encoder' });
}
