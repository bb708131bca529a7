// The questions of `ambry decide`: a file, and short forms of the command line.
import { messageOf } from '../../base/errors.ts';
import type { Question, Questions } from '../../entries/types.ts';
import type { CommandOptions, OptionValues } from '../shared/command.ts';
import { UsageError } from '../shared/failure.ts';
import { readText } from '../shared/input.ts';

export const questionOptions = {
  ask: {
    type: 'string',
    multiple: true,
    value: 'QUESTION',
    help: 'A question: NAME is answered with yes or no, NAME=A,B,C with one of these, and NAME=1..5 with an integer. May be repeated. Default: none.',
  },
  questions: {
    type: 'string',
    value: 'FILE',
    help: 'A file of JSON with the questions, as the package takes them. Default: none.',
  },
} as const satisfies CommandOptions;

/** The questions of the file, and then the others. */
export async function readQuestions({
  ask = [],
  questions: file,
}: OptionValues<typeof questionOptions>): Promise<Questions> {
  if (file === undefined && ask.length === 0) {
    throw new UsageError('No question was given. Use --ask QUESTION or --questions FILE.', '--ask');
  }
  const questions = new Map(Object.entries(file === undefined ? {} : await readFile(file)));
  for (const given of ask) {
    const [name, question] = parseQuestion(given);
    if (questions.has(name)) {
      throw new UsageError(`The question ${name} is given twice.`, '--ask');
    }
    questions.set(name, question);
  }
  return Object.fromEntries(questions);
}

function parseQuestion(given: string): readonly [name: string, question: Question] {
  const [, name = given, answers] = /^(.*?)=(.*)$/s.exec(given) ?? [];
  if (answers === undefined) {
    return [name, 'boolean'];
  }
  const range = /^(-?\d+)\.\.(-?\d+)$/.exec(answers);
  return range
    ? [name, { min: Number(range[1]), max: Number(range[2]) }]
    : [name, { choices: answers.split(',').map((choice) => choice.trim()) }];
}

async function readFile(path: string): Promise<Questions> {
  const text = await readText(path);
  let questions: unknown;
  try {
    questions = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${messageOf(error)}`, '--questions');
  }
  if (typeof questions !== 'object' || questions === null || Array.isArray(questions)) {
    throw new UsageError(`${path} has no object of questions.`, '--questions');
  }
  return questions as Questions;
}
