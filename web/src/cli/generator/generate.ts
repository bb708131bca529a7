import { isAbort } from '../../errors.ts';
import { generateDefaults } from '../../tables.ts';
import type { GeneratedToken, GenerateOptions, GenerationRun, Prompt } from '../../types.ts';
import { defineCommand } from '../shared/command.ts';
import { jsonOption } from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { readText } from '../shared/input.ts';
import { integer } from '../shared/option-values.ts';
import type { Terminal } from '../shared/terminal.ts';
import { formatOptions, readFormat } from './format-options.ts';
import { formatTokenRate, generatorOptions, withGenerator } from './open-generator.ts';
import { parseSampling, samplingOptions } from './sampling-options.ts';

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
    n: {
      type: 'string',
      short: 'n',
      value: 'N',
      help: `Generate N answers, with the seeds --seed, --seed + 1 and so on. Default: ${generateDefaults.n}.`,
    },
    ...formatOptions,
    ...generatorOptions,
    ...jsonOption,
  },
  json: '{prompt, promptIds, ids, text, stop, parsed?, seed, generated, tokensPerSecond, prefill, tokens?}. --schema adds parsed, --logprobs adds tokens. One document for each of -n answers.',
  examples: [
    "generate stories.amb --prompt 'Once upon a time' --max-tokens 60",
    "generate chat.amb --chat --prompt 'What is a tide?' --temperature 0",
    "generate chat.amb --chat --prompt 'Is it?' --choice yes --choice no",
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
    const count = integer(values.n, '-n');
    const options = {
      ...parseSampling(values),
      ...(count !== undefined && { n: count }),
      ...(await readFormat(values)),
      signal: terminal.signal,
    };
    return withGenerator(file, values, terminal, async (model) => {
      const run = model.generate(values.chat ? conversation(text, system) : text, options);
      return values.json ? printDocument(text, run, options, terminal) : stream(run, terminal);
    });
  },
});

function conversation(text: string, system: string | undefined): Prompt {
  const user = { role: 'user', content: text };
  return { messages: system === undefined ? [user] : [{ role: 'system', content: system }, user] };
}

/** Prints each answer as one JSON document. */
async function printDocument(
  prompt: string,
  run: GenerationRun,
  { logprobs }: GenerateOptions,
  terminal: Terminal,
): Promise<number> {
  const tokens: GeneratedToken[] = [];
  for await (const token of run) tokens.push(token);
  for (const [i, { prompt: prefill, ...result }] of (await run.results).entries()) {
    const own = tokens.filter(({ answer = 0 }) => answer === i);
    const withTokens = logprobs !== undefined && { tokens: own };
    terminal.printJson({ prompt, ...result, prefill, ...withTokens });
  }
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
  for (const { stop, generated, tokensPerSecond } of await run.results) {
    if (!process.stderr.isTTY) break;
    const speed = formatTokenRate(tokensPerSecond);
    terminal.note(`${generated.tokens} tokens, ${speed}, stop reason: ${stop}`);
  }
  return 0;
}

/** An empty line is between two answers. */
export async function* encodedTexts(run: GenerationRun): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let last = 0;
  for await (const { text, answer = 0 } of run) {
    yield encoder.encode('\n\n'.repeat(answer - last) + text);
    last = answer;
  }
}
