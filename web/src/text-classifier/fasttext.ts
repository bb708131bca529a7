// Classifies texts with a model of fastText.
import { AmbryError } from '../base/errors.ts';
import type { LabelScore } from '../model/classify-types.ts';
import type { Connection } from '../runtime/connect.ts';
import type { Labeller, TextInput } from './labeller.ts';
import type { FastTextCalls, LabelledTexts } from './protocol.ts';
import type { ClassifyTextOptions } from './types.ts';

/** What only encoders with a classification head can do. */
const forEncoders = ['candidates', 'hypothesis', 'multiLabel', 'truncate'] as const;

export function fastTextLabeller(
  labels: readonly string[],
  { channel }: Pick<Connection<FastTextCalls>, 'channel'>,
): Labeller {
  return {
    labels,
    classify: async (inputs, options) => {
      refuseOptions(options);
      const { k, threshold, signal, onProgress } = options;
      const settings = {
        ...(k !== undefined && { k }),
        ...(threshold !== undefined && { threshold }),
      };
      const input = { texts: inputs.map(textOf), settings };
      return scoresOf(await channel.call('labelTexts', input, { signal, onProgress }), labels);
    },
    logits: async () => {
      const message =
        'A model of fastText gives probabilities and no logits; classify() gives them.';
      throw new AmbryError('Unsupported', message, { path: 'model' });
    },
  };
}

function refuseOptions(options: ClassifyTextOptions): void {
  const given = forEncoders.find((name) => options[name] !== undefined);
  if (given) {
    const message =
      'This option is for encoders with a classification head, and not for a model of fastText.';
    throw new AmbryError('Unsupported', message, { path: `options.${given}` });
  }
}

function textOf(input: TextInput, i: number): string {
  if (typeof input === 'string') {
    return input;
  }
  const message = 'A model of fastText reads one text, and no pair.';
  throw new AmbryError('Unsupported', message, { path: `texts[${i}]` });
}

function scoresOf(
  { counts, labels, scores }: LabelledTexts,
  names: readonly string[],
): LabelScore[][] {
  let at = 0;
  return Array.from(counts, (count) => {
    const begin = at;
    at += count;
    return Array.from({ length: count }, (_, i) => {
      const index = labels[begin + i] as number;
      return { label: names[index] as string, index, score: scores[begin + i] as number };
    });
  });
}
