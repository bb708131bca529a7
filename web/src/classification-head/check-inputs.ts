// The texts, pairs and numbers that a caller gives.
import { AmbryError } from '../base/errors.ts';
import type { OptionNames } from '../base/options.ts';
import { jobOptionNames } from '../runtime/option-names.ts';
import type { ScoreOptions, TextPair } from './types.ts';

export const scoreOptionNames: OptionNames<ScoreOptions> = { ...jobOptionNames, truncate: true };

/** Rejects what is neither a text nor a pair of texts with `BadValue`. */
export function checkInputs(inputs: readonly unknown[]): readonly (string | TextPair)[] {
  if (!Array.isArray(inputs)) {
    throw bad('Texts must be a list.', 'texts');
  }
  for (const [i, input] of inputs.entries()) {
    if (typeof input !== 'string' && !isPair(input)) {
      throw bad('Each must be a string, or a pair of strings.', `texts[${i}]`);
    }
  }
  return inputs as readonly (string | TextPair)[];
}

function isPair(input: unknown): input is TextPair {
  return (
    Array.isArray(input) && input.length === 2 && input.every((text) => typeof text === 'string')
  );
}

/** Rejects a number of results that is no integer of 1 or more. */
export function checkCount(k: number | undefined): void {
  if (k === undefined || (Number.isInteger(k) && k >= 1)) {
    return;
  }
  throw bad(`The number of results must be an integer of 1 or more, not ${k}.`, 'options.k');
}

export function bad(message: string, path: string): AmbryError {
  return new AmbryError('BadValue', message, { path });
}
