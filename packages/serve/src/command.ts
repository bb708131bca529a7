// `ambry-serve/command`: the command `ambry serve`. The command line loads it for its help, too, so the server is loaded later.
import { once } from 'node:events';
import type { parseArgs } from 'node:util';
import { AmbryError } from 'ambry';
import { asUsage, isAbort } from 'ambry-http';
import type { CommandHost } from './command-host.ts';
import type { RunningServer } from './serve.ts';
import { serverDefaults } from './service/defaults.ts';
import type { ListenOptions } from './service/options.ts';

const mebibyte = 1024 * 1024;
/** Seconds in which the models are given back after the last answer. */
const disposal = 5;

const options = {
  port: {
    type: 'string',
    value: 'N',
    help: `The port; 0 takes a free one. Default: ${serverDefaults.port}.`,
  },
  host: {
    type: 'string',
    value: 'ADDRESS',
    help: `The address to listen at. Another one than this machine’s own needs a key, or --without-key. Default: ${serverDefaults.host}.`,
  },
  'api-key': {
    type: 'string',
    value: 'KEY',
    help: 'Requests must have this key as Authorization: Bearer KEY. Other users of this machine can see it in the list of processes; AMBRY_API_KEY hides it. Default: AMBRY_API_KEY, else none.',
  },
  'without-key': {
    type: 'boolean',
    help: 'With --host: let other machines call the server without a key.',
  },
  'allowed-host': {
    type: 'string',
    value: 'NAME',
    multiple: true,
    help: 'A host name by which the server may be called without a key, besides localhost and IP addresses. May be repeated. Default: none.',
  },
  cors: {
    type: 'string',
    value: 'ORIGIN',
    multiple: true,
    help: 'Let web pages of this origin call the server, such as https://example.org; * allows all. May be repeated. Default: none.',
  },
  'max-body': {
    type: 'string',
    value: 'SIZE',
    help: `The maximum size of a request, such as 16MB. Default: ${serverDefaults.maxBody / mebibyte} MiB.`,
  },
  'max-inputs': {
    type: 'string',
    value: 'N',
    help: `The maximum number of texts in a request. Default: ${serverDefaults.maxInputs}.`,
  },
  'max-answers': {
    type: 'string',
    value: 'N',
    help: `The maximum number of answers to a prompt. Default: ${serverDefaults.maxAnswers}.`,
  },
  'max-tokens': {
    type: 'string',
    value: 'N',
    help: 'The maximum number of tokens of an answer. Default: the model’s context.',
  },
  'max-queue': {
    type: 'string',
    value: 'N',
    help: `The maximum number of requests that wait for a model. Default: ${serverDefaults.maxQueue}.`,
  },
  'max-connections': {
    type: 'string',
    value: 'N',
    help: `The maximum number of connections. Default: ${serverDefaults.maxConnections}.`,
  },
  'request-timeout': {
    type: 'string',
    value: 'SECONDS',
    help: `How long a request may take, with its wait. Default: ${serverDefaults.requestTimeout}.`,
  },
  'close-timeout': {
    type: 'string',
    value: 'SECONDS',
    help: `How long running answers may go on after a signal. Default: ${serverDefaults.closeTimeout}.`,
  },
  workers: {
    type: 'string',
    value: 'N',
    help: `The number of workers that embed the texts of a request. Default: ${serverDefaults.workers}.`,
  },
  strict: {
    type: 'boolean',
    help: 'Refuse requests with fields that the server does not know. Default: ignore such fields, with a warning.',
  },
} as const;

type Values = ReturnType<
  typeof parseArgs<{ options: typeof options; strict: true; allowPositionals: true }>
>['values'] & { readonly json?: boolean };

/** What ambry's command line asks of a command. It adds the options that say how models are opened. */
export const command = {
  usage: '[NAME=]MODEL...',
  details: [
    'Needs the package ambry-serve: npm install ambry-serve',
    'MODEL is a file, a directory, a URL or a name at the hub. Clients call it by NAME, which is that of the file by default. Models are opened in their order, and a model answers as soon as it is open.',
    'The server has the routes of OpenAI (/v1/chat/completions, /v1/responses, /v1/completions, /v1/embeddings, /v1/models), of Anthropic (/v1/messages), of Ollama (/api/…), of Text Embeddings Inference (/embed, /embed_sparse, /rerank, /predict), and /v1/rerank, /health and /metrics. A signal to stop lets running answers end.',
    '--context, --kv and --threads are for language models, --workers for encoders.',
  ],
  options,
  opensModels: true,
  json: '{url, models}, when the server listens.',
  examples: [
    'serve tinyllama.gguf all-MiniLM-L6-v2/',
    'serve chat=tinyllama.gguf --port 11434',
    'serve minilm.weights --cors https://example.org',
  ],
  argumentCount: [1, Number.POSITIVE_INFINITY],
  async run(args: readonly string[], values: Values, host: CommandHost): Promise<number> {
    const settings = serverSettings(values, host);
    const { modelEntries } = await import('./model-entries.ts');
    const models = await modelEntries(args, host);
    host.patience = (settings.closeTimeout ?? serverDefaults.closeTimeout) + disposal;
    const { serve } = await import('./serve.ts');
    let first: unknown;
    const onError = (error: unknown, model?: string) => {
      // A signal ends the opening of a model.
      if (isAbort(error)) {
        return;
      }
      first ??= error;
      noteError(host, error, model);
    };
    const onWarning = (message: string) => host.note(`ambry: warning: ${message}`);
    const server = await serve(models, { ...settings, onWarning }, onError).catch(
      (error: unknown) => {
        throw asUsage(error, host);
      },
    );
    const names = Object.keys(models);
    if (values.json) {
      host.printJson({ url: server.url, models: names });
    } else {
      host.print(`${names.join(', ')} at ${server.url} (Ctrl-C stops the server)`);
    }
    const allOpen = await untilStopped(server, host);
    return allOpen ? 0 : host.exitCodeOf(first);
  },
} as const;

/** The options of `serve`, which checks their ranges. */
function serverSettings(
  values: Values,
  { integer, numberInRange, byteCount }: CommandHost,
): ListenOptions {
  const given = {
    host: values.host,
    port: integer(values.port, '--port', 0),
    apiKey: values['api-key'] ?? (process.env.AMBRY_API_KEY || undefined),
    withoutKey: values['without-key'],
    allowedHosts: values['allowed-host'],
    cors: values.cors,
    maxBody: byteCount(values['max-body'], '--max-body'),
    maxInputs: integer(values['max-inputs'], '--max-inputs'),
    maxAnswers: integer(values['max-answers'], '--max-answers'),
    maxTokens: integer(values['max-tokens'], '--max-tokens'),
    maxQueue: integer(values['max-queue'], '--max-queue', 0),
    maxConnections: integer(values['max-connections'], '--max-connections'),
    requestTimeout: numberInRange(values['request-timeout'], '--request-timeout', 0),
    closeTimeout: numberInRange(values['close-timeout'], '--close-timeout', 0),
    workers: integer(values.workers, '--workers'),
    strict: values.strict,
  };
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present);
}

/** Resolves to false at once if a model cannot be opened. */
async function untilStopped(server: RunningServer, host: CommandHost): Promise<boolean> {
  const { signal } = host;
  const stopped = signal.aborted ? Promise.resolve() : once(signal, 'abort');
  const failed = await Promise.race([server.opened, stopped.then(() => undefined)]);
  if (failed?.length === 0) {
    host.note('All models are open.');
    await stopped;
  }
  await server.close();
  return signal.aborted;
}

function noteError(host: CommandHost, error: unknown, model: string | undefined): void {
  const about = model === undefined ? '' : ` ${model}:`;
  const text =
    error instanceof AmbryError ? host.describe(error) : String((error as Error).stack ?? error);
  host.note(`ambry:${about} ${text}`);
}
