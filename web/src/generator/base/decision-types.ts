// Questions that a language model decides, and what it answers.
import type { JobOptions } from '../../rpc/types.ts';

interface Described {
  /** What is asked, in words for the model. The name of the question when absent. */
  readonly description?: string;
}

/** Whether something is so. `'boolean'` is short for `{ type: 'boolean' }`. */
export interface BooleanQuestion extends Described {
  readonly type: 'boolean';
}

/** Which of these texts it is. They differ from each other. At most 1,000. */
export interface ChoiceQuestion extends Described {
  readonly choices: readonly string[];
}

/** Which integer from `min` to `max` it is. At most 1,000 of them. */
export interface RangeQuestion extends Described {
  readonly min: number;
  readonly max: number;
}

export type Question = 'boolean' | BooleanQuestion | ChoiceQuestion | RangeQuestion;

/** Questions by their names. At most 100. */
export type Questions = Readonly<Record<string, Question>>;

/** What a question is answered with: true or false, one of the choices, or an integer. */
export type AnswerValue<Q extends Question> = Q extends 'boolean' | { readonly type: 'boolean' }
  ? boolean
  : Q extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : number;

/** A value that a question may be answered with. */
export interface ScoredValue<Value = string | number | boolean> {
  readonly value: Value;
  /** From 0 to 1. Those of all values of a question add up to 1. */
  readonly probability: number;
  /** The sum of the log probabilities of the answer's tokens and of its end, or what `normalize` makes of it. */
  readonly score: number;
}

export interface Decision<Value = string | number | boolean> {
  /** The most probable value. */
  readonly value: Value;
  readonly probability: number;
  /** All values, the most probable first. Equally probable ones keep their order. */
  readonly probabilities: readonly ScoredValue<Value>[];
}

/** A decision for each question, by its name. */
export type Decisions<Q extends Questions = Questions> = {
  readonly [Name in keyof Q]: Decision<AnswerValue<Q[Name]>>;
};

/** What becomes of the score of an answer. `none`: it stays the sum of log probabilities. `tokens`: the mean over the tokens,
 *  so that long choices are not at a disadvantage. `prior`: the score after an empty text is subtracted, so that choices
 *  which the model likes whatever the text are not at an advantage. */
export const scoreNormalizations = ['none', 'tokens', 'prior'] as const;
export type ScoreNormalization = (typeof scoreNormalizations)[number];

export interface DecideOptions extends JobOptions {
  /** `none` when absent. */
  readonly normalize?: ScoreNormalization;
  /** What the user says to the model. `{text}` and `{question}` stand for the text and the description of the question, and
   *  `{answers}` for the answers that there are. */
  readonly prompt?: string;
  /** The system message before it. None when absent. */
  readonly system?: string;
  /** Another template: the name of one in `GeneratorInfo.chatTemplates`, or a text in Jinja. */
  readonly template?: string;
  /** More variables for the template. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** The defaults of options that are absent. */
export const decideDefaults = {
  normalize: 'none',
  prompt: 'Text:\n{text}\n\nQuestion: {question}\nAnswer with nothing but {answers}',
} as const satisfies DecideOptions;
