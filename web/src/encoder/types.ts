// Why a text is near to a query, and the outputs of models that give several.

export type * from './all/types.ts';

export interface ExplainOptions {
  /** Text put before the query, or the name of one of the model's prompts. */
  readonly prompt?: string;
  /** Text put before the text, or the name of a prompt. For a passage of an index, the index has its own. */
  readonly docPrompt?: string;
  readonly signal?: AbortSignal;
}

/** A word piece of a text and what it adds to the score; below 0 where it takes away. */
export interface ExplainedPiece {
  readonly token: string;
  /** `[start, end)` in UTF-16 code units of the text. Both are 0 for what is not in it: special tokens, and those
   *  of the prompt. */
  readonly start: number;
  readonly end: number;
  readonly score: number;
}

export interface Explanation {
  /** The cosine of query and text: the sum of the pieces' scores. */
  readonly score: number;
  /** In the order of the text, as far as the model reads it. */
  readonly pieces: readonly ExplainedPiece[];
}
