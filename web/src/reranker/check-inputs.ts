// The texts, numbers and options that a caller gives.

import { AmbryError } from '../base/errors.ts';
import { flag, number, text, texts } from '../base/kinds.ts';
import type { OptionNames } from '../base/options.ts';
import { jobOptionNames } from '../runtime/option-names.ts';
import type { ClassifyTextOptions, RankOptions, ScoreOptions, TextPair } from './types.ts';

export const scoreOptionNames: OptionNames<ScoreOptions> = { ...jobOptionNames, truncate: true };
export const rankOptionNames: OptionNames<RankOptions> = {
  ...scoreOptionNames,
  k: number,
  returnDocuments: flag,
};
export const classifyOptionNames: OptionNames<ClassifyTextOptions> = {
  ...scoreOptionNames,
  k: number,
  multiLabel: flag,
  candidates: texts,
  hypothesis: text,
};

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

/** A query and the documents as pairs. */
export function pairsOf(query: unknown, documents: unknown): readonly TextPair[] {
  if (typeof query !== 'string') {
    throw bad('The query must be a string.', 'query');
  }
  if (!Array.isArray(documents)) {
    throw bad('The documents must be a list.', 'documents');
  }
  return Array.from(documents, (document: unknown, i) => {
    if (typeof document === 'string') {
      return [query, document];
    }
    throw bad(`A document must be a string, not ${typeof document}.`, `documents[${i}]`);
  });
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
