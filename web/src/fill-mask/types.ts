// The types of models that fill in missing words.
import type { JobOptions } from '../rpc/types.ts';

/** A word that may stand in the place of a mask. */
export interface MaskFill {
  /** The word, without white space around it. It is a token of the model, and may be a part of a word, such as `##ing` of
   *  WordPiece. */
  readonly text: string;
  /** The id of its token. */
  readonly id: number;
  /** The probability of the word among all tokens of the model, from 0 to 1. */
  readonly score: number;
  /** The whole text with the word in the place of this mask. Other masks stay. */
  readonly filled: string;
}

export interface FillOptions extends JobOptions {
  /** How many words to return for each mask; 5 when absent, or all candidates if there are fewer. */
  readonly k?: number;
  /** Chooses among these words alone. Each must be one token of the model. Scores stay those among all tokens. */
  readonly candidates?: readonly string[];
}

/** The defaults of options that are absent. */
export const fillDefaults = { k: 5 } as const satisfies FillOptions;
