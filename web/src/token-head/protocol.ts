// The calls of a worker for an encoder with a head that gives numbers for every token: token classifiers, models that answer
// questions from a text, and masked language models.
import type { TextPair } from '../classification-head/types.ts';
import type { OpenCalls } from '../model/protocol.ts';
import type { TokenCalls } from '../tokenizer/protocol.ts';

export interface TokenHeadInput {
  /** Texts, or pairs of a question and a context. A text that is too long is read in windows, and so is the second text of a
   *  pair; the first one is part of each window. */
  readonly inputs: readonly (string | TextPair)[];
  readonly settings: {
    /** What errors call the inputs. */
    readonly list: 'texts' | 'contexts';
    /** So many tokens of a text are in two neighbouring windows. */
    readonly overlap?: number;
    /** The tokens of a window at most, special ones included; what the model takes if absent. */
    readonly window?: number;
    /** Which tokens get a row of logits: all of them, or those that stand for a missing word. */
    readonly rows: 'all' | 'masks';
  };
}

/** Bits of a token's flags. */
export const tokenFlags = {
  /** The tokenizer added the token, which stands for no text. */
  special: 1,
  /** The token belongs to the second text of a pair. */
  second: 2,
  /** The token goes on with the word of the token before, by the rule of Transformers' pipeline for token classification. */
  subword: 4,
  /** The token stands for a missing word. */
  mask: 8,
} as const;

/** The numbers of a token in `TokenRows.tokens`. */
export const numbersOfToken = 4;

export interface TokenRows {
  /** The numbers in a row: one for each label, two for the ends of an answer, or one for each token of the vocabulary. */
  readonly width: number;
  /** The rows, one after another: of each token, or of each token that stands for a missing word. */
  readonly logits: Float32Array<ArrayBuffer>;
  /** The number of the input to which each window belongs. The windows of an input follow one another. */
  readonly inputs: Uint32Array<ArrayBuffer>;
  /** How many tokens each window has. */
  readonly counts: Uint32Array<ArrayBuffer>;
  /** For each token of each window its id, its begin and its end in its own text in UTF-16 units, and its flags. */
  readonly tokens: Uint32Array<ArrayBuffer>;
}

export type TokenHeadOnlyCalls = { tokenRows: { in: TokenHeadInput; out: TokenRows } };

export type TokenHeadCalls = OpenCalls & TokenCalls & TokenHeadOnlyCalls;
