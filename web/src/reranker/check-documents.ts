// The query and the documents that a caller gives.
import { flag, number, text } from '../base/kinds.ts';
import type { OptionNames } from '../base/options.ts';
import { bad, scoreOptionNames } from '../classification-head/check-inputs.ts';
import type { TextPair } from '../classification-head/types.ts';
import type { RankOptions, RelevanceOptions } from './types.ts';

export const relevanceOptionNames: OptionNames<RelevanceOptions> = {
  ...scoreOptionNames,
  instruction: text,
  layer: number,
};

export const rankOptionNames: OptionNames<RankOptions> = {
  ...relevanceOptionNames,
  k: number,
  returnDocuments: flag,
};

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
