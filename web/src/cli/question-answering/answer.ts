import { answerDefaults } from '../../entries/tables.ts';
import type { AnswerOptions } from '../../entries/types.ts';
import { asGiven, callOptions, count } from '../shared/call-options.ts';
import { type CommandOptions, defineCommand } from '../shared/command.ts';
import {
  fetchOptions,
  jsonOption,
  parseFetchOptions,
  parseRunOptions,
  runOptions,
} from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { directorySource, readText } from '../shared/input.ts';
import { openAs, openCall } from '../shared/open-model.ts';
import { answerFromIndex, indexOptions } from './answer-from-index.ts';
import { answerJson, answerLine } from './answer-output.ts';

const answerOptions = {
  k: {
    type: 'string',
    short: 'k',
    value: 'N',
    help: `The number of answers. Default: ${answerDefaults.k}.`,
    read: count(1),
  },
  'no-answer': {
    type: 'boolean',
    help: 'That there is no answer may be an answer, too, with an empty text. It is for models that were trained for it. With --index, passages that have no answer give none.',
    read: asGiven,
  },
  'max-answer-tokens': {
    type: 'string',
    value: 'N',
    help: `The number of tokens of an answer at most. Default: ${answerDefaults.maxAnswerTokens}.`,
    read: count(1),
  },
  overlap: {
    type: 'string',
    value: 'N',
    help: 'How many tokens of a long text are in two neighbouring windows. Default: 128, or a fourth of a window that is shorter than 384.',
    read: count(0),
  },
} as const satisfies CommandOptions;

export const command = defineCommand({
  usage: 'MODEL QUESTION [FILE]',
  summary: 'Find the answer to a question in a text or an index',
  details: [
    'MODEL is an encoder that was trained for extractive question answering, such as a BertForQuestionAnswering. FILE is a text; - is standard input. --context gives the text itself, and --index searches an index of ambry index for passages to read.',
    'Each answer gives a line, the best first: score, tab, where it begins in the text, tab, where it ends, tab, answer. With --index, the id of the passage follows the score instead.',
  ],
  options: {
    context: {
      type: 'string',
      value: 'TEXT',
      help: 'The text that may have the answer. Default: that of FILE.',
    },
    ...answerOptions,
    ...indexOptions,
    ...runOptions,
    ...fetchOptions,
    ...jsonOption,
  },
  json: '[{text, start, end, score, id?, passage?, source?, page?, retrievalScore?}, …]. --index adds id, passage and retrievalScore.',
  examples: [
    "answer tinyroberta-squad2/ 'Where is the cat?' story.txt -k 3",
    "answer tinyroberta-squad2/ 'Who came?' --context 'Ada came.'",
    "answer tinyroberta-squad2/ 'What moves tides?' --index docs.ambryindex",
  ],
  argumentCount: [2, 3],
  run: async ([file = '', question = '', textFile], values, terminal) => {
    checkPlaces(file, textFile, values);
    const { signal, onProgress } = terminal;
    const options = {
      ...callOptions<AnswerOptions>(answerOptions, values),
      signal,
      onProgress,
    };
    const fetching = { ...parseRunOptions(values), ...parseFetchOptions(values) };
    const source = await directorySource(file);
    const context = values.context ?? (textFile === undefined ? '' : await readText(textFile));
    const opening = { ...fetching, ...openCall(terminal) };
    await using model = await openAs(['questionAnswering'], file, source, opening);
    const answers =
      values.index === undefined
        ? await model.answer(question, context, options)
        : await answerFromIndex(model, question, values.index, options, values, terminal);
    if (values.json) {
      terminal.printJson(answers.map(answerJson));
    } else {
      for (const answer of answers) {
        terminal.print(answerLine(answer));
      }
    }
    return 0;
  },
});

/** There is one place for the text, and standard input is read once. */
function checkPlaces(
  file: string,
  textFile: string | undefined,
  {
    context,
    index,
    ...others
  }: {
    readonly context?: string | undefined;
    readonly index?: string | undefined;
    readonly encoder?: string | undefined;
    readonly passages?: string | undefined;
    readonly hybrid?: boolean | undefined;
  },
): void {
  const given = [textFile, context, index].filter((place) => place !== undefined);
  if (given.length === 0) {
    throw new UsageError(
      'No text was given. Use FILE with - for standard input, --context TEXT or --index INDEX.',
    );
  }
  if (given.length > 1) {
    throw new UsageError('Give one of FILE, --context and --index.');
  }
  const only = (['encoder', 'passages', 'hybrid'] as const).find((name) => others[name]);
  if (only && index === undefined) {
    throw new UsageError(`--${only} needs --index.`, `--${only}`);
  }
  if ([file, textFile, index, others.encoder].filter((name) => name === '-').length > 1) {
    throw new UsageError('Only one of MODEL, FILE and INDEX can be standard input.');
  }
}
