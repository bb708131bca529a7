// The types of models that answer questions from a text.
import type { JobOptions } from '../rpc/types.ts';
import type { OffsetUnit } from '../token-head/offsets.ts';

/** A part of a text that answers a question. */
export interface ExtractedAnswer {
  /** The words of the text, from `start` to `end`. Empty where the text has no answer, with `noAnswer`. */
  readonly text: string;
  /** Where the answer begins in the text, and where it ends. */
  readonly start: number;
  readonly end: number;
  /** How sure the model is, from 0 to 1: the probability that the answer begins there times that it ends there. */
  readonly score: number;
}

export interface AnswerOptions extends JobOptions {
  /** How many answers to return for each text at most; 1 when absent. */
  readonly k?: number;
  /** Whether a text may have no answer. This is then one of the answers, with an empty `text`. It is for models that were trained
   *  for it, as with SQuAD 2; with other models its score says nothing. False when absent. */
  readonly noAnswer?: boolean;
  /** An answer has so many tokens at most; 15 when absent. */
  readonly maxAnswerTokens?: number;
  /** So many tokens of a long text are in two neighbouring windows; 128 when absent, or a fourth of the text's
   *  tokens in a window where the model takes fewer than 384 tokens or the question is long. */
  readonly overlap?: number;
  /** In what `start` and `end` are counted; `utf16` when absent. */
  readonly offsets?: OffsetUnit;
}

/** The defaults of options that are absent. */
export const answerDefaults = {
  k: 1,
  noAnswer: false,
  maxAnswerTokens: 15,
  offsets: 'utf16',
} as const satisfies AnswerOptions;
