// Classifies texts with the classification head of an encoder.
import { AmbryError } from '../base/errors.ts';
import { bad } from '../classification-head/check-inputs.ts';
import { logitsOf } from '../classification-head/head.ts';
import { isMultiLabel, probabilities } from '../classification-head/probabilities.ts';
import type { HeadCalls } from '../classification-head/protocol.ts';
import type { HeadInfo } from '../classification-head/types.ts';
import type { LabelScore } from '../model/classify-types.ts';
import type { Connection } from '../runtime/connect.ts';
import { labelScores } from './label-scores.ts';
import type { Labeller, TextInput } from './labeller.ts';
import { type ClassifyTextOptions, classifyTextDefaults } from './types.ts';

type Channel = Pick<Connection<HeadCalls>, 'channel'>;

export function headLabeller(head: HeadInfo, connection: Channel): Labeller {
  const { labels } = head;
  return {
    labels,
    classify: (inputs, options) =>
      options.candidates
        ? classifyInto(labels, options.candidates, connection, inputs, options)
        : classify(head, connection, inputs, options),
    logits: (inputs, options) => logitsOf(connection, inputs, options, 'texts'),
  };
}

async function classify(
  head: HeadInfo,
  connection: Channel,
  inputs: readonly TextInput[],
  options: ClassifyTextOptions,
): Promise<LabelScore[][]> {
  const { multiLabel = isMultiLabel(head), hypothesis } = options;
  if (hypothesis !== undefined) {
    throw bad('This option needs candidates.', 'options.hypothesis');
  }
  if (head.problemType === 'regression' && options.multiLabel === undefined) {
    const message =
      'The model gives numbers and no probabilities (problem_type regression); logits() returns them.';
    throw new AmbryError('Unsupported', message, { path: 'model' });
  }
  const { labels } = head;
  const rows = rowsOf(await logitsOf(connection, inputs, options, 'texts'), labels.length);
  return rows.map((row) => labelScores(labels, row, probabilities(row, multiLabel), options));
}

async function classifyInto(
  labels: readonly string[],
  candidates: readonly string[],
  connection: Channel,
  texts: readonly TextInput[],
  options: ClassifyTextOptions,
): Promise<LabelScore[][]> {
  const { hypothesis = classifyTextDefaults.hypothesis, multiLabel = false } = options;
  const { zeroShot } = await import('./zero-shot.ts');
  const { pairs, judge } = zeroShot(labels, texts, candidates, hypothesis, multiLabel);
  const rows = rowsOf(await logitsOf(connection, pairs, options, 'pairs'), labels.length);
  return texts.map((_, i) => {
    const judged = judge(rows.slice(i * candidates.length, (i + 1) * candidates.length));
    return labelScores(candidates, judged.logits, judged.probabilities, options);
  });
}

function rowsOf(logits: Float32Array, width: number): number[][] {
  return Array.from({ length: logits.length / width }, (_, i) =>
    Array.from(logits.subarray(i * width, (i + 1) * width)),
  );
}
