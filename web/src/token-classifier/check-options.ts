// The options that a caller gives.
import { didYouMean } from '../base/did-you-mean.ts';
import { type Kind, number, oneOf, texts } from '../base/kinds.ts';
import type { OptionNames } from '../base/options.ts';
import { bad } from '../classification-head/check-inputs.ts';
import { jobOptionNames } from '../runtime/option-names.ts';
import { offsetUnits } from '../token-head/offsets.ts';
import { groupLabel } from './spans.ts';
import { aggregations, type RedactOptions, type TagOptions } from './types.ts';

const textOrFunction: Kind = {
  words: 'a text or a function',
  is: (value) => typeof value === 'string' || typeof value === 'function',
};

export const tagOptionNames: OptionNames<TagOptions> = {
  ...jobOptionNames,
  aggregation: oneOf(aggregations),
  stride: number,
  threshold: number,
  offsets: oneOf(offsetUnits),
  ignore: texts,
  labels: texts,
};

export const redactOptionNames: OptionNames<RedactOptions> = {
  ...tagOptionNames,
  replacement: textOrFunction,
};

/** Throws `BadValue` at an option that is out of range, and at a label that the model does not give: a text would seem to have
 *  no such entity. */
export function checkTagOptions(
  { stride, threshold, aggregation, labels: wanted = [] }: TagOptions,
  labels: readonly string[],
): void {
  if (stride !== undefined && !(Number.isSafeInteger(stride) && stride >= 0)) {
    throw bad(`The stride must be an integer of 0 or more, not ${stride}.`, 'options.stride');
  }
  if (threshold !== undefined && !(threshold >= 0 && threshold <= 1)) {
    throw bad(`The threshold must be a number from 0 to 1, not ${threshold}.`, 'options.threshold');
  }
  const known = aggregation === 'none' ? labels : labelsOfEntities(labels);
  wanted.forEach((label, i) => {
    if (!known.includes(label)) {
      const message = `The model has no label ${JSON.stringify(label)}.${didYouMean(label, known)} It has ${known.join(', ')}.`;
      throw bad(message, `options.labels[${i}]`);
    }
  });
}

/** The labels that entities may have. */
export function labelsOfEntities(labels: readonly string[]): readonly string[] {
  return [...new Set(labels.map(groupLabel))];
}
