// Classifies texts with weights over the vectors of an encoder.
import { AmbryError } from '../../base/errors.ts';
import { Yielder } from '../../base/yielder.ts';
import type { ScoreOptions } from '../../classification-head/types.ts';
import type { LabelScore } from '../../model/classify-types.ts';
import type { Embedder } from '../../model/embedding.ts';
import { labelScores } from '../label-scores.ts';
import type { Labeller, TextInput } from '../labeller.ts';
import type { ClassifyTextOptions } from '../types.ts';
import { putLogits, rowsAtATime, softmaxInPlace, type Weights } from './logits.ts';

/** What only encoders with a classification head can do. */
const forHeads = ['candidates', 'hypothesis', 'multiLabel'] as const;

export interface Running {
  readonly encoder: Embedder;
  readonly labels: readonly string[];
  readonly weights: Weights;
  readonly prompt: string | undefined;
}

/** `isOpen` says whether the classifier was not disposed of. */
export function trainedLabeller(running: Running, isOpen: () => boolean): Labeller {
  const { labels } = running;
  const each = async <T>(
    inputs: readonly TextInput[],
    options: ScoreOptions,
    use: (logits: Float64Array) => T,
  ): Promise<T[]> => {
    if (!isOpen()) {
      throw new AmbryError('Cancelled', 'This was disposed of already.');
    }
    return eachLogits(running, inputs.map(textOf), options, use);
  };
  return {
    labels,
    classify: async (inputs, options) => {
      refuseOptions(options);
      return each(inputs, options, (logits) => scoresOf(labels, logits, options));
    },
    logits: async (inputs, options) => {
      const rows = await each(inputs, options, (logits) => Float32Array.from(logits));
      const all = new Float32Array(rows.length * labels.length);
      rows.forEach((row, i) => {
        all.set(row, i * labels.length);
      });
      return all;
    },
  };
}

function scoresOf(
  labels: readonly string[],
  logits: Float64Array,
  options: ClassifyTextOptions,
): LabelScore[] {
  const scores = logits.slice();
  softmaxInPlace(scores);
  return labelScores(labels, logits, scores, options);
}

async function eachLogits<T>(
  { encoder, weights, prompt, labels }: Running,
  texts: readonly string[],
  { truncate, signal, onProgress }: ScoreOptions,
  use: (logits: Float64Array) => T,
): Promise<T[]> {
  const rows = await encoder.embed(texts, {
    as: 'matrix',
    normalize: true,
    ...(prompt !== undefined && { prompt }),
    ...(truncate && { truncate }),
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  });
  const yielder = new Yielder(signal);
  const logits = new Float64Array(labels.length);
  const step = rowsAtATime(weights.weight.length);
  const found: T[] = [];
  for (let i = 0; i < texts.length; i++) {
    putLogits(weights, rows, i * weights.dim, logits);
    found.push(use(logits));
    if (i % step === 0) {
      await yielder.yieldIfDue();
    }
  }
  return found;
}

function refuseOptions(options: ClassifyTextOptions): void {
  const given = forHeads.find((name) => options[name] !== undefined);
  if (given) {
    const message =
      'This option is for encoders with a classification head, and not for a classifier that was trained on examples.';
    throw new AmbryError('Unsupported', message, { path: `options.${given}` });
  }
}

function textOf(input: TextInput, i: number): string {
  if (typeof input === 'string') {
    return input;
  }
  const message = 'A classifier that was trained on examples reads one text, and no pair.';
  throw new AmbryError('Unsupported', message, { path: `texts[${i}]` });
}
