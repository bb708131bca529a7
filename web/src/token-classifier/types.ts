// The types of token classifiers.
import type { JobOptions } from '../rpc/types.ts';
import { type OffsetUnit, offsetUnits } from '../token-head/offsets.ts';

/** How the labels of tokens become entities, as in Transformers' pipeline for token classification. The first is the default.
 *
 *  `simple` joins neighbouring tokens with the same label. `first`, `average` and `max` label each word as a whole before: by its
 *  first token, by the mean of its tokens, or by the token that is most certain. `none` gives each token by itself, with its
 *  label as the model has it, such as `B-PER`. */
export const aggregations = ['simple', 'first', 'average', 'max', 'none'] as const;
export type Aggregation = (typeof aggregations)[number];

/** A part of a text to which a token classifier gives a label. */
export interface TextEntity {
  /** The label without `B-` or `I-`, such as `PER`; with `aggregation: 'none'` as the model has it. */
  readonly label: string;
  /** Where the entity begins in the text: in UTF-16 units, as strings of JavaScript count, or in code points. */
  readonly start: number;
  /** Where the entity ends in the text. */
  readonly end: number;
  /** This part of the text, as it was given. */
  readonly text: string;
  /** A probability, from 0 to 1: the mean over what the entity is joined of. */
  readonly score: number;
}

export interface TagOptions extends JobOptions {
  readonly aggregation?: Aggregation;
  /** How many tokens two neighbouring windows of a long text share. A text that is longer than the model takes is read in such
   *  windows, so that no part of it is left out. Must be smaller than a window; a fourth of one when absent. */
  readonly stride?: number;
  /** Entities with a smaller score are left out, from 0 to 1; 0 when absent. */
  readonly threshold?: number;
  /** What `start` and `end` count: `utf16` units, as strings of JavaScript do, or `codePoints`, as those of Python do. */
  readonly offsets?: OffsetUnit;
  /** Labels that are no entities; `['O']` when absent. */
  readonly ignore?: readonly string[];
  /** Only entities with these labels are returned; all when absent. */
  readonly labels?: readonly string[];
}

/** What takes the place of an entity: a text in which `{label}` stands for the label, or a function that gives the text. */
export type Replacement = string | ((entity: TextEntity) => string);

export interface RedactOptions extends TagOptions {
  /** `[{label}]` when absent, so that a name becomes `[PER]`. */
  readonly replacement?: Replacement;
}

/** The defaults of options that are absent. */
export const tagDefaults = {
  aggregation: aggregations[0],
  threshold: 0,
  offsets: offsetUnits[0],
  ignore: ['O'],
} as const satisfies TagOptions;

export const redactDefaults = {
  replacement: '[{label}]',
} as const satisfies RedactOptions;
