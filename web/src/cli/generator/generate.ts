import { isAbort } from '../../errors.ts';
import { generateDefaults } from '../../tables.ts';
import type { GeneratedToken, GenerateOptions, GenerationRun, Prompt } from '../../types.ts';
import { type CommandOptions, defineCommand, type OptionValues } from '../shared/command.ts';
import { jsonOption } from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { readText } from '../shared/input.ts';
import { integer, numberInRange } from '../shared/option-values.ts';
import type { Terminal } from '../shared/terminal.ts';
import { formatTokenRate, generatorOptions, withGenerator } from './open-generator.ts';

const samplingOptions = {
  'max-tokens': {
    type: 'string',
    value: 'N',
    help: `The maximum number of generated tokens. Default: ${generateDefaults.maxTokens}.`,
  },
  temperature: {
    type: 'string',
    value: 'X',
    help: `The sampling temperature. With 0 the most probable token is always taken. Default: ${generateDefaults.temperature}.`,
  },
  'top-k': {
    type: 'string',
    value: 'N',
    help: 'Sample from the N most probable tokens only. Default: from all.',
  },
  'top-p': {
    type: 'string',
    value: 'X',
    help: `Sample from the most probable tokens whose probabilities add up to X. Default: ${generateDefaults.topP}.`,
  },
  'min-p': {
    type: 'string',
    value: 'X',
    help: `Sample only from tokens that are at least X times as probable as the most probable one. Default: ${generateDefaults.minP}.`,
  },
  'repetition-penalty': {
    type: 'string',
    value: 'X',
    help: `With a value above 1, tokens that occurred before become less probable. Default: ${generateDefaults.repetitionPenalty}.`,
  },
  seed: {
    type: 'string',
    value: 'N',
    help: 'The random seed. The same seed gives the same answer. Default: a random one.',
  },
  stop: {
    type: 'string',
    multiple: true,
    value: 'TEXT',
    help: 'A text that ends the answer. May be repeated. Default: none.',
  },
  logprobs: {
    type: 'string',
    value: 'N',
    help: 'With --json: add the probability of each token and of the N most probable ones. Default: none.',
  },
} as const satisfies CommandOptions;

export const command = defineCommand({
  usage: 'MODEL --prompt TEXT',
  summary: 'Generate text with a language model',
  details: [
    'MODEL is an amb or alt file. The text is printed as it is generated. Ctrl-C stops it.',
  ],
  options: {
    prompt: {
      type: 'string',
      value: 'TEXT',
      help: 'The text to continue, or - for standard input. Required.',
    },
    chat: {
      type: 'boolean',
      help: 'Answer the prompt as a chat message, with the chat template of the model.',
    },
    system: {
      type: 'string',
      value: 'TEXT',
      help: 'With --chat: the system message before the prompt. Default: none.',
    },
    ...samplingOptions,
    ...generatorOptions,
    ...jsonOption,
  },
  json: '{prompt, promptIds, ids, text, stop, seed, generated, tokensPerSecond, prefill, tokens?}. --logprobs adds tokens.',
  examples: [
    "generate stories.amb --prompt 'Once upon a time' --max-tokens 60",
    "generate chat.amb --chat --prompt 'What is a tide?' --temperature 0",
  ],
  argumentCount: [1, 1],
  run: async ([file = ''], values, terminal) => {
    const { prompt, system } = values;
    if (prompt === undefined) {
      const message = 'No prompt was given. Use --prompt TEXT, or --prompt - for standard input.';
      throw new UsageError(message, '--prompt');
    }
    if (system !== undefined && !values.chat) {
      throw new UsageError('--system needs --chat.', '--system');
    }
    const text = prompt === '-' ? await readText('-') : prompt;
    const options = { ...parseSampling(values), signal: terminal.signal };
    return withGenerator(file, values, terminal, async (model) => {
      const run = model.generate(values.chat ? conversation(text, system) : text, options);
      return values.json ? printDocument(text, run, options, terminal) : stream(run, terminal);
    });
  },
});

function parseSampling(values: OptionValues<typeof samplingOptions>): GenerateOptions {
  const settings = {
    maxTokens: integer(values['max-tokens'], '--max-tokens'),
    temperature: numberInRange(values.temperature, '--temperature', 0),
    topK: integer(values['top-k'], '--top-k', 0),
    topP: numberInRange(values['top-p'], '--top-p', 0, 1),
    minP: numberInRange(values['min-p'], '--min-p', 0, 1),
    repetitionPenalty: numberInRange(values['repetition-penalty'], '--repetition-penalty', 0),
    seed: integer(values.seed, '--seed', 0),
    logprobs: integer(values.logprobs, '--logprobs', 0),
  };
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), stop: values.stop ?? [] };
}

function conversation(text: string, system: string | undefined): Prompt {
  const user = { role: 'user', content: text };
  return { messages: system === undefined ? [user] : [{ role: 'system', content: system }, user] };
}

/** Prints the whole answer as one JSON document. */
async function printDocument(
  prompt: string,
  run: GenerationRun,
  { logprobs }: GenerateOptions,
  terminal: Terminal,
): Promise<number> {
  const tokens: GeneratedToken[] = [];
  for await (const token of run) tokens.push(token);
  const { prompt: prefill, ...result } = await run.result;
  terminal.printJson({ prompt, ...result, prefill, ...(logprobs !== undefined && { tokens }) });
  return 0;
}

/** Prints the answer token by token. */
async function stream(run: GenerationRun, terminal: Terminal): Promise<number> {
  try {
    await terminal.pipe(encodedTexts(run));
  } catch (error) {
    if (!isAbort(error)) throw error;
    terminal.print('');
    return terminal.stopCode ?? 1;
  }
  terminal.print('');
  const { stop, generated, tokensPerSecond } = await run.result;
  if (process.stderr.isTTY) {
    const speed = formatTokenRate(tokensPerSecond);
    terminal.note(`${generated.tokens} tokens, ${speed}, stop reason: ${stop}`);
  }
  return 0;
}

async function* encodedTexts(run: GenerationRun): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const { text } of run) yield encoder.encode(text);
}
