import { isAbort } from '../../base/errors.ts';
import { generateDefaults } from '../../entries/tables.ts';
import type {
  ChatMessage,
  GeneratedToken,
  GenerateOptions,
  Generation,
  GenerationBatch,
  GenerationRun,
} from '../../entries/types.ts';
import { defineCommand } from '../shared/command.ts';
import { jsonOption } from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { pipedText, readLines, readText } from '../shared/input.ts';
import { integer } from '../shared/option-values.ts';
import type { Terminal } from '../shared/terminal.ts';
import { formatOptions, readFormat } from './format-options.ts';
import { formatTokenRate, generatorOptions, withGenerator } from './open-generator.ts';
import { parseSampling, samplingOptions } from './sampling-options.ts';
import { readTemplate, readVariables, templateOptions } from './template-option.ts';

export const command = defineCommand({
  usage: 'MODEL [PROMPT] | MODEL --batch FILE',
  summary: 'Generate text with a language model',
  details: [
    'MODEL is a language model: a GGUF, AMB or ALT file, a directory, a URL or a name at the hub. The text is printed as it is generated. Ctrl-C stops it.',
    'What a model thinks before its answer is shown at a terminal only, and is the reasoning of --json.',
    'Several answers are generated together and printed in their order, with an empty line in between.',
  ],
  options: {
    prompt: {
      type: 'string',
      value: 'TEXT',
      help: 'The text to continue, as PROMPT, or - for standard input. Default: what is piped to the command.',
    },
    batch: {
      type: 'string',
      value: 'FILE',
      help: 'Continue each line of FILE, or of - for standard input. Default: none.',
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
    ...templateOptions,
    ...samplingOptions,
    n: {
      type: 'string',
      short: 'n',
      value: 'N',
      help: `Generate N answers, with the seeds --seed, --seed + 1 and so on. Default: ${generateDefaults.n}.`,
    },
    'batch-size': {
      type: 'string',
      value: 'N',
      help: `Generate up to N answers together. Default: ${generateDefaults.batchSize}.`,
    },
    ...formatOptions,
    ...generatorOptions,
    ...jsonOption,
  },
  json: '{prompt, promptIds, ids, text, reasoning, toolCalls, finishReason, stoppedBy, parsed?, usage, seed, generated, tokensPerSecond, prefill, tokens?}. --schema adds parsed, --logprobs adds tokens. One document for each of -n answers or lines of --batch.',
  examples: [
    "generate stories.amb 'Once upon a time' --max-tokens 60",
    "generate chat.amb --chat 'What is a tide?' --temperature 0",
    "generate chat.amb --chat 'Is it?' --choice yes --choice no",
    'generate chat.amb --chat --batch questions.txt --json',
  ],
  argumentCount: [1, 2],
  run: async ([file = '', after], given, terminal) => {
    if (after !== undefined && given.prompt !== undefined) {
      throw new UsageError('Give the prompt after the model or as --prompt, not both.', '--prompt');
    }
    const values = { ...given, prompt: given.prompt ?? after };
    const { system } = values;
    for (const name of ['system', 'template', 'variable'] as const) {
      if (values[name] !== undefined && !values.chat) {
        throw new UsageError(`--${name} needs --chat.`, `--${name}`);
      }
    }
    const variables = readVariables(values);
    const texts = await promptsOf(values);
    const count = integer(values.n, '-n');
    const batchSize = integer(values['batch-size'], '--batch-size');
    const options = {
      ...parseSampling(values),
      ...(count !== undefined && { n: count }),
      ...(batchSize !== undefined && { batchSize }),
      ...(await readFormat(values)),
      signal: terminal.signal,
    };
    return withGenerator(file, values, terminal, async (model) => {
      const template = await readTemplate(values.template, model);
      const prompts = texts.map((text) =>
        values.chat ? { ...conversation(text, system), ...template, ...variables } : text,
      );
      const run =
        values.batch === undefined
          ? model.generate(prompts[0] ?? '', options)
          : model.generateAll(prompts, options);
      return values.json ? printDocuments(texts, run, options, terminal) : stream(run, terminal);
    });
  },
});

/** The prompt that is given or piped, or the lines of --batch. */
async function promptsOf({
  prompt,
  batch,
  n,
}: {
  prompt?: string | undefined;
  batch?: string | undefined;
  n?: string | undefined;
}): Promise<readonly string[]> {
  if (batch === undefined) {
    if (prompt !== undefined) {
      return [prompt === '-' ? await readText('-') : prompt];
    }
    const piped = await pipedText();
    if (piped !== undefined) {
      return [piped];
    }
    const message = 'No prompt was given. Write it after the model, or pipe it to the command.';
    throw new UsageError(message, '--prompt');
  }
  if (prompt !== undefined) {
    throw new UsageError('Give a prompt or --batch, not both.', '--batch');
  }
  if (n !== undefined) {
    throw new UsageError('--batch gives one answer to each line, so it takes no -n.', '-n');
  }
  const lines = await readLines(batch);
  if (lines.length > 0) {
    return lines;
  }
  throw new UsageError('--batch names a file without lines.', '--batch');
}

function conversation(
  text: string,
  system: string | undefined,
): { readonly messages: readonly ChatMessage[] } {
  const user = { role: 'user', content: text };
  return { messages: system === undefined ? [user] : [{ role: 'system', content: system }, user] };
}

/** Prints each answer as one JSON document. */
async function printDocuments(
  prompts: readonly string[],
  run: GenerationRun | GenerationBatch,
  { logprobs }: GenerateOptions,
  terminal: Terminal,
): Promise<number> {
  const tokens: GeneratedToken[] = [];
  for await (const token of run) {
    tokens.push(token);
  }
  for (const [i, { prompt: prefill, ...result }] of (await run.results).entries()) {
    const prompt = prompts[i] ?? prompts[0];
    const own = tokens.filter((token) => placeOf(token) === i);
    const withTokens = logprobs !== undefined && { tokens: own };
    terminal.printJson({ prompt, ...result, prefill, ...withTokens });
  }
  return 0;
}

/** Which of several answers a token belongs to. */
const placeOf = ({ answer, prompt }: Pick<GeneratedToken, 'answer' | 'prompt'>) =>
  answer ?? prompt ?? 0;

/** Prints the answer token by token. */
async function stream(run: GenerationRun | GenerationBatch, terminal: Terminal): Promise<number> {
  try {
    await terminal.pipe(answerTexts(run, (part) => terminal.aside(part)));
  } catch (error) {
    if (!isAbort(error)) {
      throw error;
    }
    terminal.print('');
    return terminal.stopCode ?? 1;
  }
  terminal.print('');
  const results: readonly Generation[] = await run.results;
  for (const { stoppedBy, generated, tokensPerSecond } of results) {
    if (!process.stderr.isTTY) {
      break;
    }
    const speed = formatTokenRate(tokensPerSecond);
    terminal.note(`${generated.tokens} tokens, ${speed}, stopped by: ${stoppedBy}`);
  }
  return 0;
}

/** An empty line is between two answers. The first one is written as it comes; the others are computed beside it, and
 *  wait for those before them. `aside` gets the reasoning of the first one, and a line break after it. */
export async function* answerTexts(
  run: AsyncIterable<Pick<GeneratedToken, 'answer' | 'prompt' | 'text' | 'reasoning'>> &
    Pick<GenerationBatch, 'results'>,
  aside: (part: string) => void = () => {},
): AsyncGenerator<string> {
  let hasReasoned = false;
  for await (const token of run) {
    if (placeOf(token) !== 0) {
      continue;
    }
    const { reasoning = '', text } = token;
    aside(reasoning);
    hasReasoned ||= reasoning !== '';
    if (text !== '') {
      aside(hasReasoned ? '\n\n' : '');
      hasReasoned = false;
      yield text;
    }
  }
  for (const { text } of (await run.results).slice(1)) {
    yield `\n\n${text}`;
  }
}
