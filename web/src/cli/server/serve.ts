import { once } from 'node:events';
import { AmbryError, isAbort } from '../../base/errors.ts';
import { serverDefaults, weightStorages } from '../../entries/tables.ts';
import { memoryOptions, parseMemoryOptions, threadOption } from '../generator/open-generator.ts';
import { defineCommand, type OptionValues } from '../shared/command.ts';
import {
  fetchOptions,
  jsonOption,
  parseFetchOptions,
  parseRunOptions,
  runOptions,
} from '../shared/common-options.ts';
import { describeProblem, exitCodeOf, problemOf, UsageError } from '../shared/failure.ts';
import { openCall } from '../shared/open-model.ts';
import { byteCount, integer, numberInRange } from '../shared/option-values.ts';
import type { Terminal } from '../shared/terminal.ts';
import { modelEntries } from './model-entries.ts';
import { importServer, type RunningServer } from './server-package.ts';

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
  ...memoryOptions,
  ...threadOption,
  ...runOptions,
  weights: {
    type: 'string',
    choices: weightStorages,
    help: `How weights are held in memory. Default: ${weightStorages[0]}.`,
  },
  ...fetchOptions,
  ...jsonOption,
} as const;

export const command = defineCommand({
  usage: '[NAME=]MODEL...',
  summary: 'Serve models as OpenAI’s and Ollama’s HTTP interfaces do',
  details: [
    'Needs the package ambry-serve: npm install ambry-serve',
    'MODEL is a file, a directory, a URL or a name at the hub. Clients call it by NAME, which is that of the file by default. Models are opened in their order, and a model answers as soon as it is open.',
    'The server has /v1/embeddings, /v1/chat/completions, /v1/completions, /v1/rerank, /v1/models, /api/chat, /api/generate, /api/embed, /api/tags, /api/show, /health and /metrics. A signal to stop lets running answers end.',
    '--context, --kv and --threads are for language models, --workers for encoders.',
  ],
  options,
  json: '{url, models}, when the server listens.',
  examples: [
    'serve tinyllama.gguf all-MiniLM-L6-v2/',
    'serve chat=tinyllama.gguf --port 11434',
    'serve minilm.weights --cors https://example.org',
  ],
  argumentCount: [1, Number.POSITIVE_INFINITY],
  run: async (args, values, terminal) => {
    const settings = serverSettings(values);
    const { onWarning, ...call } = openCall(terminal);
    const models = await modelEntries(args, {
      reading: { ...parseFetchOptions(values), ...call },
      options: { ...parseMemoryOptions(values), ...parseRunOptions(values), onWarning },
      threads: integer(values.threads, '--threads'),
    });
    terminal.patience = (settings.closeTimeout ?? serverDefaults.closeTimeout) + disposal;
    const { serve } = await importServer();
    let first: unknown;
    const onError = (error: unknown, model?: string) => {
      // A signal ends the opening of a model.
      if (isAbort(error)) {
        return;
      }
      first ??= error;
      noteError(terminal, error, model);
    };
    const server = await serve(models, settings, onError).catch((error: unknown) => {
      throw asUsage(error);
    });
    const names = Object.keys(models);
    if (values.json) {
      terminal.printJson({ url: server.url, models: names });
    } else {
      terminal.print(`${names.join(', ')} at ${server.url} (Ctrl-C stops the server)`);
    }
    const allOpen = await untilStopped(server, terminal);
    return allOpen ? 0 : exitCodeOf(first);
  },
});

/** The options of `serve` in the package ambry-serve, which checks their ranges. */
function serverSettings(values: OptionValues<typeof options>) {
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
  };
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Partial<typeof given>;
}

/** Resolves to false at once if a model cannot be opened. */
async function untilStopped(server: RunningServer, terminal: Terminal): Promise<boolean> {
  const { signal } = terminal;
  const stopped = signal.aborted ? Promise.resolve() : once(signal, 'abort');
  const failed = await Promise.race([server.opened, stopped.then(() => undefined)]);
  if (failed?.length === 0) {
    terminal.note('All models are open.');
    await stopped;
  }
  await server.close();
  return signal.aborted;
}

function noteError(terminal: Terminal, error: unknown, model: string | undefined): void {
  const about = model === undefined ? '' : ` ${model}:`;
  const text =
    error instanceof AmbryError
      ? describeProblem(problemOf(error))
      : String((error as Error).stack ?? error);
  terminal.note(`ambry:${about} ${text}`);
}

/** `options.maxBody` is `--max-body`. */
function asUsage(error: unknown): unknown {
  if (!(error instanceof AmbryError) || !error.path?.startsWith('options.')) {
    return error;
  }
  const name = error.path
    .slice('options.'.length)
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return new UsageError(error.message, `--${name.replace(/-hosts\b/, '-host')}`);
}
