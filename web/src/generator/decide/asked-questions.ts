// The questions of a caller: checked, with all values that each may be answered with, and as texts for the model.
import { AmbryError } from '../../base/errors.ts';
import { findWrongOption, type Kind, oneOf, text, texts } from '../../base/kinds.ts';
import { type OptionNames, refuse } from '../../base/options.ts';
import type {
  BooleanQuestion,
  ChoiceQuestion,
  Question,
  RangeQuestion,
} from '../base/decision-types.ts';

const mostQuestions = 100;
const mostAnswers = 1000;

export interface AskedQuestion {
  readonly name: string;
  /** What errors call its answers. */
  readonly path: string;
  readonly values: readonly (string | number | boolean)[];
  /** What the model writes for each value. */
  readonly answers: readonly string[];
  /** What is asked, and the answers in words. */
  readonly question: string;
  readonly hint: string;
}

type Fields = Partial<BooleanQuestion & ChoiceQuestion & RangeQuestion>;
type Answers = Pick<AskedQuestion, 'path' | 'values' | 'answers' | 'hint'>;

const integer: Kind = { words: 'an integer', is: Number.isSafeInteger };
const fieldNames: OptionNames<Fields> = {
  type: oneOf(['boolean']),
  choices: texts,
  min: integer,
  max: integer,
  description: text,
};

/** Rejects with `BadValue` or `LimitExceeded` at the place in `questions`. */
export async function askedQuestions(
  questions: Readonly<Record<string, unknown>>,
): Promise<readonly AskedQuestion[]> {
  const entries = Object.entries(questions);
  if (entries.length === 0) {
    throw bad('questions', 'Give at least one question.');
  }
  if (entries.length > mostQuestions) {
    throw tooMany('questions', `${mostQuestions} questions`);
  }
  const asked: AskedQuestion[] = [];
  for (const [name, question] of entries) {
    asked.push(await askedQuestion(name, question as Question));
  }
  return asked;
}

async function askedQuestion(name: string, given: Question): Promise<AskedQuestion> {
  const path = `questions.${name}`;
  const fields: Fields = given === 'boolean' ? { type: given } : given;
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw bad(path, forms);
  }
  await refuseWrong(fields, path);
  const { type, choices, min, max, description = name } = fields;
  if (description.trim() === '') {
    throw bad(path, 'Say what is asked: give the question a name or a description.');
  }
  const isRange = min !== undefined || max !== undefined;
  if (Number(type !== undefined) + Number(choices !== undefined) + Number(isRange) !== 1) {
    throw bad(path, forms);
  }
  const answers = choices
    ? ofChoices(choices, `${path}.choices`)
    : isRange
      ? ofRange(min, max, path)
      : { path, values: [true, false], answers: ['yes', 'no'], hint: 'yes or no.' };
  return { name, question: description, ...answers };
}

const forms =
  'A question is "boolean" or an object with one of { type: "boolean" }, { choices: […] } and { min, max }.';

async function refuseWrong(fields: Fields, path: string): Promise<void> {
  const wrong = findWrongOption(fields, fieldNames, path);
  await (wrong && refuse(wrong));
}

function ofChoices(choices: readonly string[], path: string): Answers {
  if (choices.length === 0) {
    throw bad(path, 'Give at least one choice.');
  }
  if (choices.length > mostAnswers) {
    throw tooMany(path, `${mostAnswers} choices`);
  }
  for (const [i, choice] of choices.entries()) {
    if (choice.trim() === '') {
      throw bad(`${path}[${i}]`, 'A choice is a text with at least one character.');
    }
    if (choices.indexOf(choice) < i) {
      throw bad(`${path}[${i}]`, `The choice ${JSON.stringify(choice)} is there already.`);
    }
  }
  const hint = `one of these:\n${choices.map((choice) => `- ${choice}`).join('\n')}`;
  return { path, values: [...choices], answers: [...choices], hint };
}

function ofRange(min: number | undefined, max: number | undefined, path: string): Answers {
  if (min === undefined || max === undefined || min > max) {
    throw bad(path, 'Give min and max, where min is at most max.');
  }
  if (max - min >= mostAnswers) {
    throw tooMany(path, `${mostAnswers} integers`);
  }
  const values = Array.from({ length: max - min + 1 }, (_, i) => min + i);
  return { path, values, answers: values.map(String), hint: `an integer from ${min} to ${max}.` };
}

function bad(path: string, message: string): AmbryError {
  return new AmbryError('BadValue', message, { path });
}

function tooMany(path: string, most: string): AmbryError {
  return new AmbryError('LimitExceeded', `At most ${most} can be given at once.`, { path });
}
