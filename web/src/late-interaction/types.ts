// The types of models with late interaction.
import type { Truncation } from '../model/embed-types.ts';
import type { JobOptions } from '../rpc/types.ts';

/** What a text is for a model with late interaction. The first is the default. */
export const textRoles = ['document', 'query'] as const;
export type TextRole = (typeof textRoles)[number];

/** How a model with late interaction reads texts (`info.config.lateInteraction`). Tokens are ids. */
export interface LateInteractionInfo {
  /** The most tokens of a query and of a document, special tokens and marker included. */
  readonly queryLength: number;
  readonly documentLength: number;
  /** The token after the first one that says what the text is. Null: there is none. */
  readonly queryMarker: number | null;
  readonly documentMarker: number | null;
  /** The token that fills queries up to `queryLength`. Null: queries keep their length. */
  readonly expansion: number | null;
  /** Whether the tokens of a query see those that fill it up. */
  readonly attendToExpansion: boolean;
  /** How many tokens, such as punctuation, have no vector in documents. */
  readonly skippedTokens: number;
}

export interface EmbedTokensOptions extends JobOptions {
  /** Whether the texts are documents, which is the default, or queries. */
  readonly as?: TextRole;
  /** What happens to texts that are longer than the model takes: they are cut (`end`, the default), or the call is
   *  rejected (`error`). */
  readonly truncate?: Truncation;
  /** Text to put before each text, or the name of one of the model's prompts. */
  readonly prompt?: string;
}
