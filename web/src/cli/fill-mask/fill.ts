import { AmbryError } from '../../base/errors.ts';
import { fillDefaults } from '../../entries/tables.ts';
import type { FillOptions, MaskFill } from '../../entries/types.ts';
import type { MaskFiller } from '../../index.ts';
import { answerLines } from '../shared/answer-lines.ts';
import { callOptions, count } from '../shared/call-options.ts';
import { type CommandOptions, defineCommand } from '../shared/command.ts';
import {
  fetchOptions,
  jsonOption,
  parseFetchOptions,
  parseRunOptions,
  runOptions,
} from '../shared/common-options.ts';
import { shortFloat } from '../shared/format.ts';
import { directorySource } from '../shared/input.ts';
import { openAs, openCall } from '../shared/open-model.ts';
import { parseTextLine } from '../shared/read-lines.ts';
import type { Terminal } from '../shared/terminal.ts';
import {
  checkTextInput,
  lineInput,
  textInput,
  textInputOptions,
  withTexts,
} from '../shared/text-input.ts';

const fillOptions = {
  k: {
    type: 'string',
    short: 'k',
    value: 'N',
    help: `The number of words for each mask. Default: ${fillDefaults.k}.`,
    read: count(1),
  },
  candidates: {
    type: 'string',
    multiple: true,
    value: 'A,B',
    help: 'Choose among these words alone. A comma separates them. May be repeated. Default: all tokens of the model.',
    read: (lists: readonly string[]) =>
      lists.flatMap((list) => list.split(',')).map((word) => word.trim()),
  },
} as const satisfies CommandOptions;

export const command = defineCommand({
  usage: 'MODEL [TEXT...]',
  summary: 'Fill in the missing words of texts',
  details: [
    'MODEL is a masked language model, such as a BertForMaskedLM. A text has the mask of the model where a word is missing, such as [MASK] or <mask>; the error for a text without one names it.',
    'Each mask gives a line with its words, the most likely first: word, tab, probability, and a tab before the next word.',
  ],
  options: {
    ...fillOptions,
    ...textInputOptions(
      'Read lines {"id", "text"} from standard input or --file, and print lines {"id", "masks"}.',
    ),
    ...runOptions,
    ...fetchOptions,
    ...jsonOption,
  },
  json: 'A line for each text: {input, masks}. masks has a list for each mask, with {text, id, score, filled} for each word.',
  examples: [
    "fill bert-base-uncased/ 'Cats sleep on the [MASK].' -k 3",
    "fill bert-base-uncased/ 'The [MASK] purrs.' --candidates cat,dog",
    'fill bert-base-uncased/ --jsonl < masked.jsonl > filled.jsonl',
  ],
  argumentCount: [1, Number.POSITIVE_INFINITY],
  run: async ([file = '', ...after], given, terminal) => {
    const values = withTexts(given, after);
    checkTextInput(file, values);
    const options = { ...callOptions<FillOptions>(fillOptions, values), signal: terminal.signal };
    const opening = { ...parseRunOptions(values), ...parseFetchOptions(values) };
    const source = await directorySource(file);
    const texts = await textInput(values);
    const call = { ...opening, ...openCall(terminal), kind: 'fillMask' as const };
    await using model = await openAs(['fillMask'], file, source, call);
    const lines = lineInput(values);
    if (lines) {
      return await fillLines(model, lines, options, terminal);
    }
    for (const text of texts) {
      const masks = await model.fill(text, options);
      if (values.json) {
        terminal.printJson({ input: text, masks: masks.map(shortened) });
      } else {
        for (const words of masks) {
          terminal.print(wordLine(words));
        }
      }
    }
    return 0;
  },
});

const wordLine = (words: readonly MaskFill[]): string =>
  words.map(({ text, score }) => `${text}\t${score.toFixed(6)}`).join('\t');

const shortened = (words: readonly MaskFill[]): MaskFill[] =>
  words.map((word) => ({ ...word, score: shortFloat(word.score) }));

function fillLines(
  model: MaskFiller,
  input: Parameters<typeof answerLines>[0],
  options: FillOptions,
  terminal: Terminal,
): Promise<number> {
  return answerLines(input, terminal, {
    parse: parseTextLine,
    answer: async (requests) => {
      const answers: unknown[] = [];
      for (const [i, { id, text }] of requests.entries()) {
        const masks = await model.fill(text, options).catch((error: unknown) => {
          throw ofText(error, i);
        });
        answers.push({ id, masks: masks.map(shortened) });
      }
      return answers;
    },
  });
}

/** The error with the place of its text among the lines. */
function ofText(error: unknown, i: number): unknown {
  const isOfText = error instanceof AmbryError && /^texts?(\[0\])?$/.test(error.path ?? '');
  if (!isOfText) {
    return error;
  }
  return new AmbryError(error.code, error.message, { path: `texts[${i}]`, cause: error });
}
