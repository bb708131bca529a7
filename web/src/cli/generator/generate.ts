import { isAbort } from '../../errors.ts';
import type { GeneratedToken, GenerateOptions, GenerationRun, Prompt } from '../../types.ts';
import { decimal, defineCommand, wholeNumber } from '../shared/command.ts';
import { UsageError } from '../shared/failure.ts';
import { readText } from '../shared/input.ts';
import type { Terminal } from '../shared/terminal.ts';
import { kModelDetails, kModelOptions, rate, withLanguageModel } from './open-generator.ts';

const kSampling = {
  'max-tokens': { type: 'string' },
  temperature: { type: 'string' },
  'top-k': { type: 'string' },
  'top-p': { type: 'string' },
  'min-p': { type: 'string' },
  'repetition-penalty': { type: 'string' },
  seed: { type: 'string' },
  stop: { type: 'string', multiple: true },
  logprobs: { type: 'string' },
} as const;

export const command = defineCommand({
  usage:
    'generate MODEL --prompt T [--max-tokens N] [--temperature X] [--seed N] [--stop S]... [--chat] [--json]',
  summary: 'go on with a text, token by token (amb, alt)',
  details: [
    'The answer comes as it is made; Ctrl-C ends it.',
    '--prompt              a text; - reads standard input',
    '--chat                the prompt is what a user says, put into the model’s own form of a conversation',
    '--system              with --chat: what comes before it',
    '--max-tokens          256 when absent',
    '--temperature         0 always takes the likeliest token; 0.8 when absent',
    '--top-k               only so many of the likeliest tokens; all when absent',
    '--top-p               only the likeliest tokens that make up this share; 0.9 when absent',
    '--min-p               only tokens at least this likely, as a share of the likeliest one’s',
    '--repetition-penalty  above 1, tokens that were there before become less likely',
    '--seed                the same one gives the same answer; any when absent',
    '--stop                a text that ends the answer; may be given again',
    '--logprobs            with --json: the probability of each token, and of so many of the likeliest',
    ...kModelDetails,
  ],
  options: {
    prompt: { type: 'string' },
    chat: { type: 'boolean' },
    system: { type: 'string' },
    json: { type: 'boolean' },
    ...kSampling,
    ...kModelOptions,
  },
  takes: [1, 1],
  run: async ([file = ''], values, terminal) => {
    const { prompt: given, system } = values;
    if (given === undefined) throw new UsageError('no prompt given: use --prompt TEXT', '--prompt');
    if (system !== undefined && !values.chat) {
      throw new UsageError('--system goes with --chat', '--system');
    }
    const text = given === '-' ? await readText('-') : given;
    const options = { ...optionsIn(values), signal: terminal.signal };
    return withLanguageModel(file, values, terminal, async (model) => {
      const run = model.generate(values.chat ? conversation(text, system) : text, options);
      return values.json ? document(text, run, options, terminal) : stream(run, terminal);
    });
  },
});

type SamplingValues = { readonly [K in keyof typeof kSampling]?: string | string[] | undefined };

function optionsIn(values: SamplingValues): GenerateOptions {
  const one = (name: keyof typeof kSampling) => values[name] as string | undefined;
  const numbers = {
    maxTokens: wholeNumber(one('max-tokens'), '--max-tokens'),
    temperature: decimal(one('temperature'), '--temperature', 0),
    topK: wholeNumber(one('top-k'), '--top-k', 0),
    topP: decimal(one('top-p'), '--top-p', 0, 1),
    minP: decimal(one('min-p'), '--min-p', 0, 1),
    repetitionPenalty: decimal(one('repetition-penalty'), '--repetition-penalty', 0),
    seed: wholeNumber(one('seed'), '--seed', 0),
    logprobs: wholeNumber(one('logprobs'), '--logprobs', 0),
  };
  const said = Object.entries(numbers).filter(([, number]) => number !== undefined);
  return { ...Object.fromEntries(said), stop: (values.stop ?? []) as string[] };
}

function conversation(text: string, system: string | undefined): Prompt {
  const user = { role: 'user', content: text };
  return { messages: system === undefined ? [user] : [{ role: 'system', content: system }, user] };
}

async function document(
  prompt: string,
  run: GenerationRun,
  { logprobs }: GenerateOptions,
  terminal: Terminal,
): Promise<number> {
  const tokens: GeneratedToken[] = [];
  for await (const token of run) tokens.push(token);
  const { prompt: prefill, ...result } = await run.result;
  terminal.json({
    prompt,
    ...result,
    prefill,
    ...(logprobs !== undefined && { tokens }),
  });
  return 0;
}

async function stream(run: GenerationRun, terminal: Terminal): Promise<number> {
  try {
    await terminal.write(bytesOf(run));
  } catch (error) {
    if (!isAbort(error)) throw error;
    terminal.print('');
    return 130;
  }
  terminal.print('');
  const { stop, generated, tokensPerSecond } = await run.result;
  if (process.stderr.isTTY) {
    terminal.note(`${generated.tokens} tokens, ${rate(tokensPerSecond)}; ended by ${stop}`);
  }
  return 0;
}

async function* bytesOf(run: GenerationRun): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const { text } of run) yield encoder.encode(text);
}
