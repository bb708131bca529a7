import { AmbryError } from '../../base/errors.ts';
import type { Tokenizer } from '../../index.ts';
import { tokenizerFiles } from '../../sources/directory/model-files.ts';
import { answerLines, type LineInput } from '../shared/answer-lines.ts';
import { defineCommand } from '../shared/command.ts';
import {
  caseOptions,
  encodingOption,
  fetchOptions,
  jsonOption,
  parseCaseOptions,
  parseEncoding,
  parseFetchOptions,
} from '../shared/common-options.ts';
import { describeProblem } from '../shared/failure.ts';
import type { Terminal } from '../shared/terminal.ts';
import {
  checkTextInput,
  lineInput,
  textInput,
  textInputOptions,
  withTexts,
} from '../shared/text-input.ts';
import { openTokenizerOf } from './open-tokenizer.ts';
import { parseTokenLine, type TextOrPair } from './token-line.ts';

export const command = defineCommand({
  usage: 'MODEL [TEXT...]',
  summary: 'Split texts into tokens',
  details: [
    `MODEL is a model file, ${tokenizerFiles.map((name) => `a ${name}`).join(', ')}, a file of tiktoken, or a directory with one of these. Beside a config.json, the directory gets the ids that its opened model gets. Each text gives a line: the ids, a tab, the tokens.`,
  ],
  options: {
    ...textInputOptions(
      'Read lines of JSON from standard input or --file: a text, a pair ["text", "pair"], or {"id", "text", "pair"}, of which text is required. Print lines {"id", "ids", "tokens"}, with "typeIds" for a pair.',
    ),
    pair: {
      type: 'string',
      value: 'TEXT',
      help: 'A second text that each text makes a pair with, as the tokenizer encodes pairs. The line gets a column with the segment of each token, 0 or 1. Default: none.',
    },
    offsets: {
      type: 'boolean',
      help: 'Add where each token begins and ends in its text, in UTF-16 code units, as JavaScript counts. Special tokens that were added have 0 and 0.',
    },
    'no-special': {
      type: 'boolean',
      help: 'Add no special tokens: [CLS] and [SEP], or BOS and EOS of a language model.',
    },
    ...caseOptions,
    ...encodingOption,
    ...fetchOptions,
    ...jsonOption,
  },
  json: 'A line for each text: {text, pair?, ids, tokens, typeIds?, offsets?, warnings?}. --pair adds pair and typeIds, and --offsets adds offsets. What was assumed of the tokenizer is in warnings of the first line.',
  examples: [
    "tokenize minilm.weights 'Hello, world!'",
    'tokenize vocab.txt --file texts.txt --uncased',
    "tokenize minilm.weights --text 'a question' --pair 'an answer' --offsets",
    'tokenize minilm.weights --jsonl < texts.jsonl',
  ],
  argumentCount: [1, Number.POSITIVE_INFINITY],
  run: async ([model = '', ...after], given, terminal) => {
    const values = withTexts(given, after);
    checkTextInput(model, values, '--text or --pair', values.pair);
    const how = {
      ...parseCaseOptions(values),
      ...parseEncoding(values),
      ...parseFetchOptions(values),
    };
    const lines = lineInput(values);
    const texts = await textInput(values);
    await using tokenizer = await openTokenizerOf(model, how, terminal);
    const { warnings } = tokenizer.tokenizer ?? {};
    for (const warning of warnings ?? []) {
      terminal.note(`warning  ${describeProblem(warning)}`);
    }
    const form = { special: !values['no-special'], offsets: values.offsets === true };
    if (lines) {
      return await tokenizeLines(tokenizer, lines, form, terminal);
    }
    const { pair } = values;
    for (const [i, text] of texts.entries()) {
      const of: TextOrPair = { text, ...(pair !== undefined && { pair }) };
      const found = await tokensOf(tokenizer, of, form);
      if (!values.json) {
        terminal.print(columnsOf(found));
      } else {
        terminal.printJson({ ...of, ...found, ...(i === 0 && warnings && { warnings }) });
      }
    }
    return 0;
  },
});

interface TokenForm {
  readonly special: boolean;
  readonly offsets: boolean;
}

/** What is printed of a text or a pair. */
interface TokenFields {
  readonly ids: readonly number[];
  readonly tokens: readonly string[];
  readonly typeIds?: readonly number[];
  readonly offsets?: readonly (readonly [number, number])[];
}

async function tokensOf(
  tokenizer: Tokenizer,
  { text, pair }: TextOrPair,
  { special, offsets: withOffsets }: TokenForm,
): Promise<TokenFields> {
  const options = { special, ...(pair !== undefined && { pair }) };
  const { ids, tokens, typeIds, offsets } = await tokenizer.tokenize(text, options);
  return { ids, tokens, ...(pair !== undefined && { typeIds }), ...(withOffsets && { offsets }) };
}

/** `2 40 3<tab>[CLS] cat [SEP]`, and further columns for segments and offsets. */
function columnsOf({ ids, tokens, typeIds, offsets }: TokenFields): string {
  const columns = [ids, tokens, typeIds, offsets?.map(([begin, end]) => `${begin}-${end}`)];
  return columns.flatMap((column) => (column ? [column.join(' ')] : [])).join('\t');
}

function tokenizeLines(
  tokenizer: Tokenizer,
  input: LineInput,
  form: TokenForm,
  terminal: Terminal,
): Promise<number> {
  return answerLines(input, terminal, {
    parse: parseTokenLine,
    answer: async (requests) => {
      const answers: unknown[] = [];
      for (const [i, { id, ...of }] of requests.entries()) {
        try {
          answers.push({ id, ...(await tokensOf(tokenizer, of, form)) });
        } catch (error) {
          if (!(error instanceof AmbryError)) {
            throw error;
          }
          const { code, message, cause } = error;
          throw new AmbryError(code, message, { path: `texts[${i}]`, cause });
        }
      }
      return answers;
    },
  });
}
