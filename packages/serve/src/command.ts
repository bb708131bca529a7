// The command `serve`, in the form of the commands of `ambry`, so that both programs run the same code.
import { once } from 'node:events';
import { AmbryError } from 'ambry';
import { keyValueTypes, weightStorages } from 'ambry/tables';
import { integers, type OptionTexts, seconds, sizeOf } from './command-values.ts';
import { entriesOf } from './model-arguments.ts';
import { type ListenOptions, listenDefaults, serveDefaults } from './options.ts';
import { serve } from './serve.ts';

/** What the command needs of a terminal. */
export interface CommandOutput {
  /** Aborts when the program shall end. */
  readonly signal: AbortSignal;
  print(line: string): void;
  printJson(value: unknown): void;
  /** Writes a line to standard error. */
  note(line: string): void;
}

const mebibyte = 1024 * 1024;
const text = (value: string, help: string) => ({ type: 'string', value, help }) as const;
const list = (value: string, help: string) => ({ ...text(value, help), multiple: true }) as const;

const options = {
  port: text('N', `The port; 0 takes a free one. Default: ${listenDefaults.port}.`),
  host: text(
    'ADDRESS',
    `The address to listen at. Default: ${listenDefaults.host}, which only this machine reaches.`,
  ),
  'api-key': text(
    'KEY',
    'Requests must have this key as Authorization: Bearer KEY. Other users of this machine can see it in the list of processes; AMBRY_API_KEY hides it. Default: AMBRY_API_KEY, else none.',
  ),
  'without-key': {
    type: 'boolean',
    help: 'Let other machines call the server without a key, with --host.',
  },
  cors: list(
    'ORIGIN',
    'Let pages of this origin, such as https://example.org, call the server; * allows all. May be repeated. Default: none.',
  ),
  'allowed-host': list(
    'NAME',
    'A host name by which the server may be called without a key, besides localhost. May be repeated. Default: none.',
  ),
  'max-body': text(
    'SIZE',
    `The maximum size of a request, such as 8MB. Default: ${serveDefaults.maxBody / mebibyte}MiB.`,
  ),
  'max-inputs': text(
    'N',
    `The maximum number of texts in a request. Default: ${serveDefaults.maxInputs}.`,
  ),
  'max-answers': text(
    'N',
    `The maximum number of answers to one prompt. Default: ${serveDefaults.maxAnswers}.`,
  ),
  'max-tokens': text(
    'N',
    'The maximum number of tokens of an answer. Default: as many as there is room for.',
  ),
  'max-queue': text(
    'N',
    `The maximum number of requests that wait for a model. Default: ${serveDefaults.maxQueue}.`,
  ),
  'max-connections': text(
    'N',
    `The maximum number of connections at a time. Default: ${listenDefaults.maxConnections}.`,
  ),
  'request-timeout': text(
    'SECONDS',
    `How long a request may take. Default: ${serveDefaults.requestTimeout}.`,
  ),
  'close-timeout': text(
    'SECONDS',
    `How long running answers may go on after a signal to stop. Default: ${listenDefaults.closeTimeout}.`,
  ),
  workers: text(
    'N',
    `The number of workers that embed the texts of a request. Default: ${serveDefaults.workers}.`,
  ),
  context: text(
    'N',
    'For language models: the maximum number of tokens of the prompt and the answer together. Default: the model’s maximum.',
  ),
  kv: {
    type: 'string',
    choices: keyValueTypes,
    help: `For language models: the type of the KV cache. Default: ${keyValueTypes[0]}.`,
  },
  threads: text(
    'N',
    'For language models: the number of threads. Default: half of the logical processors, at most 4, and 1 for small models.',
  ),
  weights: {
    type: 'string',
    choices: weightStorages,
    help: `How weights are held in memory. Default: ${weightStorages[0]}.`,
  },
  deterministic: {
    type: 'boolean',
    help: 'Give bit-identical results on every machine. This is slower.',
  },
  json: { type: 'boolean', help: 'Print JSON.' },
} as const;

/** What `defineCommand` of Ambry's command line takes. */
export const command = {
  usage: 'MODEL…',
  summary: 'Serve models as OpenAI’s and Ollama’s HTTP interfaces do',
  details: [
    'MODEL is a file, a directory, a URL or a name at the hub (hf:owner/name), or NAME=MODEL. Without NAME it is named after the file or the directory. Several models of any kind are opened in their order.',
    'The server has /v1/embeddings, /v1/chat/completions, /v1/completions, /v1/rerank, /v1/models, /api/embed, /api/chat, /api/generate, /api/tags, /api/show, /health and /metrics. A signal to stop lets running answers end.',
  ],
  options,
  json: '{url, models}, when the server listens.',
  examples: [
    'serve chat.gguf all-MiniLM-L6-v2/',
    'serve chat=models/chat-q4.gguf --port 11434',
    'serve minilm.weights --host 0.0.0.0 --cors https://example.org',
  ],
  argumentCount: [1, 64],
  /** Resolves to the exit code: 1 if a model cannot be opened. */
  run: async (
    models: readonly string[],
    values: OptionTexts<typeof options>,
    output: CommandOutput,
  ): Promise<number> => {
    const entries = entriesOf(models, values);
    const names = Object.keys(entries);
    const onError = (error: unknown, model?: string) =>
      output.note(`${model === undefined ? '' : `${model}: `}${describe(error)}`);
    const server = await serve(entries, listenOptions(values), onError);
    if (values.json) output.printJson({ url: server.url, models: names });
    else output.print(`${names.join(', ')} at ${server.url} (Ctrl-C stops the server)`);
    const stopped = output.signal.aborted ? undefined : once(output.signal, 'abort');
    const failed = await Promise.race([server.opened, stopped?.then(() => [])]);
    if (failed?.length === 0) await stopped;
    await server.close();
    return failed?.length ? 1 : 0;
  },
} as const;

export type Command = typeof command;

function listenOptions(values: OptionTexts<typeof options>): ListenOptions {
  const key = values['api-key'] ?? (process.env.AMBRY_API_KEY || undefined);
  const given = {
    host: values.host,
    apiKey: key,
    withoutKey: values['without-key'],
    cors: values.cors,
    allowedHosts: values['allowed-host'],
    ...integers(values, {
      port: 'port',
      workers: 'workers',
      maxInputs: 'max-inputs',
      maxAnswers: 'max-answers',
      maxTokens: 'max-tokens',
      maxQueue: 'max-queue',
      maxConnections: 'max-connections',
    }),
    maxBody: sizeOf(values['max-body'], '--max-body'),
    requestTimeout: seconds(values['request-timeout'], '--request-timeout'),
    closeTimeout: seconds(values['close-timeout'], '--close-timeout'),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function describe(error: unknown): string {
  if (error instanceof AmbryError)
    return `${error.code}${error.path ? ` ${error.path}` : ''}: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
