// `createClassifier`: trains a classifier on examples. Pages fetch this file with the first such call.
import { refuseWrong } from '../../base/call.ts';
import { AmbryError } from '../../base/errors.ts';
import { flag, type Kind, list, number, text } from '../../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../../base/options.ts';
import { bad } from '../../classification-head/check-inputs.ts';
import { checkCount } from '../../model/check-count.ts';
import type { Embedder } from '../../model/embedding.ts';
import { embedProbe, storedProbe } from '../../model/probe.ts';
import { jobOptionNames } from '../../runtime/option-names.ts';
import { type CheckedExamples, checkExamples } from './check-examples.ts';
import { TrainedClassifier } from './client.ts';
import { checkEncoder, isEncoder } from './encoder.ts';
import { mostWeights } from './limits.ts';
import { type Measured, train } from './train.ts';
import {
  type ClassifierExample,
  type ClassifierOptions,
  classifierDefaults,
  type HeldOutScore,
} from './types.ts';

const optionNames: OptionNames<ClassifierOptions> = {
  ...jobOptionNames,
  prompt: text,
  balanced: flag,
  l2: number,
  workers: number,
};

const encoderKind: Kind = { words: 'an opened encoder', is: isEncoder };

export async function createClassifier(
  encoder: Embedder,
  examples: readonly ClassifierExample[],
  options: ClassifierOptions,
): Promise<TrainedClassifier> {
  await refuseWrong([encoder, examples], { encoder: encoderKind, examples: list });
  await refuseUnknown(options, optionNames);
  const { signal, onProgress, prompt } = options;
  const { balanced, l2, workers } = { ...classifierDefaults, ...options };
  checkCount(workers, 'workers', 'options.workers');
  checkCost(l2);
  checkEncoder(encoder, 'encoder');
  const checked = checkExamples(examples);
  checkSize(checked.labels.length, encoder.dim);
  const job = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
  const before = { ...(prompt !== undefined && { prompt }) };
  const probe = await embedProbe(encoder, signal);
  const rows = await encoder.embed(checked.texts, {
    ...job,
    ...before,
    as: 'matrix',
    normalize: true,
    workers,
  });
  const { labels, targets } = checked;
  const dim = probe.length;
  const data = { rows, dim, labels: labels.length, targets, balanced };
  const trained = await train(data, l2, job);
  const facts = {
    labels,
    encoder: { reference: null, format: encoder.info.format, dim, probe: storedProbe(probe) },
    prompt,
    examples: targets.length,
    l2,
    balanced,
    heldOut: trained.heldOut && scoreOf(checked, trained.heldOut),
  };
  return new TrainedClassifier(encoder, facts, { ...trained, dim });
}

function checkCost(l2: number): void {
  if (!(l2 > 0 && l2 <= 1e6)) {
    throw bad(
      `The cost of large weights must be more than 0 and at most 1000000, not ${l2}.`,
      'options.l2',
    );
  }
}

function checkSize(labels: number, dim: number): void {
  if (labels * dim <= mostWeights) {
    return;
  }
  const message = `${labels} labels with ${dim} numbers each are too many: at most ${mostWeights} numbers are allowed.`;
  throw new AmbryError('LimitExceeded', message, { path: 'examples' });
}

function scoreOf({ labels }: CheckedExamples, { counts, correct }: Measured): HeldOutScore {
  const sum = (numbers: Int32Array) => numbers.reduce((total, x) => total + x, 0);
  const [right, count] = [sum(correct), sum(counts)];
  const perLabel = labels.map((label, i) => ({
    label,
    correct: correct[i] as number,
    count: counts[i] as number,
  }));
  return { correct: right, count, accuracy: right / count, perLabel };
}
