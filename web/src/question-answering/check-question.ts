// The question, the texts and the options that a caller gives.
import { count, flag, type Kind, oneOf } from '../base/kinds.ts';
import type { OptionNames } from '../base/options.ts';
import { bad } from '../classification-head/check-inputs.ts';
import type { TextPair } from '../classification-head/types.ts';
import { jobOptionNames } from '../runtime/option-names.ts';
import { offsetUnits } from '../token-head/offsets.ts';
import type { AnswerOptions } from './types.ts';

const countOrNone: Kind = {
  words: 'an integer of 0 or more',
  is: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
};

export const answerOptionNames: OptionNames<AnswerOptions> = {
  ...jobOptionNames,
  k: count,
  noAnswer: flag,
  maxAnswerTokens: count,
  overlap: countOrNone,
  offsets: oneOf(offsetUnits),
};

/** The question with each of the texts. */
export function questionPairs(question: string, contexts: readonly unknown[]): TextPair[] {
  if (question.trim() === '') {
    throw bad('The question is empty.', 'question');
  }
  return Array.from(contexts, (context, i) => {
    if (typeof context === 'string') {
      return [question, context];
    }
    throw bad(`A text must be a string, not ${typeof context}.`, `contexts[${i}]`);
  });
}
