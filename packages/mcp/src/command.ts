// `ambry-mcp/command`: the command `ambry mcp`. The command line loads it for its help, too, so the server is loaded later.
import { once } from 'node:events';
import type { parseArgs } from 'node:util';
import { isAbort, asUsage as usageOf } from 'ambry-http';
import type { CommandHost } from './command-host.ts';
import { commandOptions } from './command-options.ts';
import type { RunningMcpServer } from './index.ts';
import { mcpDefaults } from './options/defaults.ts';
import type { HttpOptions } from './options/listen-options.ts';
import type { McpOptions } from './options/mcp-options.ts';

/** Seconds in which models are given back after the last answer. */
const disposal = 5;

type Values = ReturnType<
  typeof parseArgs<{ options: typeof commandOptions; strict: true; allowPositionals: true }>
>['values'] & { readonly json?: boolean };

/** What ambry's command line asks of a command. It adds the options that say how models are opened. */
export const command = {
  usage: '[[NAME=]INDEX...]',
  details: [
    'Needs the package ambry-mcp: npm install ambry-mcp',
    'INDEX is a file that ambry index made. It is searched with the model that it names, or with --model. Programs call it by NAME, which is that of the file by default.',
    'A program with a language model, such as an editor, starts this command by itself and talks to it over standard input and output (Model Context Protocol). With --http the command is a server that programs find at an address.',
    'The tools are search_index, read_passage and list_indexes for indexes, classify_text for --classifier, tag_text and redact_text for --tagger, and inspect_model and validate_model for --files. They change nothing.',
  ],
  options: commandOptions,
  opensModels: 'but-generators',
  json: '{url, indexes, classifiers, taggers}, with --http, when the server listens.',
  examples: [
    'mcp notes.ambryindex',
    'mcp notes.ambryindex manual=docs.ambryindex --files models',
    'mcp notes.ambryindex --http --port 8082',
  ],
  argumentCount: [0, Number.POSITIVE_INFINITY],
  async run(args: readonly string[], values: Values, host: CommandHost): Promise<number> {
    const { http, options } = settingsOf(values, host);
    if (args.length === 0 && !values.classifier && !values.tagger && !values.files) {
      const message =
        'There is nothing to offer: name an INDEX, --classifier, --tagger or --files.';
      throw host.usageError(message);
    }
    await checkFolders(values.files ?? [], host);
    const { indexEntries, classifierEntries, taggerEntries } = await import('./entries.ts');
    const indexes = await indexEntries(args, values.model, host);
    const classifiers = await classifierEntries(values.classifier ?? [], host);
    const taggers = await taggerEntries(values.tagger ?? [], host);
    const all: McpOptions = {
      ...options,
      ...{ indexes, classifiers, taggers },
      ...filesOf(values, host),
    };
    host.patience = (http.closeTimeout ?? mcpDefaults.closeTimeout) + disposal;
    try {
      await (values.http ? overHttp(all, http, values, host) : overStdio(all, http, host));
    } catch (error) {
      throw asUsage(error, host);
    }
    return 0;
  },
} as const;

/** What is only for `--http`. */
const httpOnly = [
  'host',
  'port',
  'api-key',
  'without-key',
  'allowed-host',
  'cors',
  'max-connections',
  'max-sessions',
] as const satisfies readonly (keyof typeof commandOptions)[];

/** The options of the calls, which check their ranges. */
function settingsOf(
  values: Values,
  host: CommandHost,
): { readonly http: HttpOptions; readonly options: McpOptions } {
  const { integer, numberInRange, byteCount, usageError } = host;
  const needless = httpOnly.find((name) => !values.http && values[name] !== undefined);
  if (needless) {
    throw usageError(`--${needless} needs --http.`, `--${needless}`);
  }
  if (values['allow-addresses'] && !values.files) {
    throw usageError('--allow-addresses needs --files DIR.', '--allow-addresses');
  }
  const key = values['api-key'] ?? (process.env.AMBRY_API_KEY || undefined);
  const http = present({
    host: values.host,
    port: integer(values.port, '--port', 0),
    apiKey: values.http ? key : undefined,
    withoutKey: values['without-key'],
    allowedHosts: values['allowed-host'],
    cors: values.cors,
    maxBody: byteCount(values['max-body'], '--max-body'),
    maxConnections: integer(values['max-connections'], '--max-connections'),
    maxSessions: integer(values['max-sessions'], '--max-sessions'),
    closeTimeout: numberInRange(values['close-timeout'], '--close-timeout', 0),
  });
  const options = present({
    prompt: values.prompt,
    maxResult: integer(values['max-result'], '--max-result'),
    maxCalls: integer(values['max-calls'], '--max-calls'),
    callTimeout: numberInRange(values['call-timeout'], '--call-timeout', 0),
    onError: (error: unknown, name?: string) => noteError(host, error, name),
  });
  return { http, options };
}

function present<T extends object>(given: T): Partial<T> {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<T>;
}

/** Tells at once of a folder that is missing. */
async function checkFolders(folders: readonly string[], host: CommandHost): Promise<void> {
  const { realFolders } = await import('./files/reachable.ts');
  try {
    await realFolders(folders);
  } catch (error) {
    throw asUsage(error, host);
  }
}

function filesOf(values: Values, { fetching }: CommandHost): Pick<McpOptions, 'files'> {
  const { files: folders, 'allow-addresses': addresses = false } = values;
  return folders ? { files: { folders, addresses, fetching } } : {};
}

async function overStdio(
  options: McpOptions,
  { closeTimeout, maxBody }: HttpOptions,
  { signal }: CommandHost,
): Promise<void> {
  const { serveStdio } = await import('./serve-stdio.ts');
  const { protocolStreams } = await import('./serving/protocol-streams.ts');
  const { input, output, restore } = protocolStreams();
  try {
    const all = { ...options, signal, closeTimeout, maxMessage: maxBody };
    await serveStdio(all, { input, output });
  } finally {
    restore();
    // A pipe that is still open would keep the process.
    input.destroy();
  }
}

async function overHttp(
  options: McpOptions,
  http: HttpOptions,
  values: Values,
  host: CommandHost,
): Promise<void> {
  const { serveHttp } = await import('./serve-http.ts');
  const server = await serveHttp({ ...options, ...http });
  const [indexes = [], classifiers = [], taggers = []] = [
    options.indexes,
    options.classifiers,
    options.taggers,
  ].map((entries) => Object.keys(entries ?? {}));
  if (values.json) {
    host.printJson({ url: server.url, indexes, classifiers, taggers });
  } else {
    host.print(`MCP at ${server.url} (Ctrl-C stops the server)`);
  }
  await untilStopped(server, host);
}

async function untilStopped(server: RunningMcpServer, { signal }: CommandHost): Promise<void> {
  if (!signal.aborted) {
    await once(signal, 'abort');
  }
  await server.close();
}

function noteError(host: CommandHost, error: unknown, name: string | undefined): void {
  // A signal ends the opening of a model.
  if (isAbort(error)) {
    return;
  }
  const about = name === undefined ? '' : ` ${name}:`;
  host.note(`ambry:${about} ${host.describe(error)}`);
}

/** The error of a call with the option as it is typed. */
function asUsage(error: unknown, host: CommandHost): unknown {
  return usageOf(error, host, (path) =>
    path.replace(/^files\.folders/, 'files').replace('maxMessage', 'maxBody'),
  );
}
