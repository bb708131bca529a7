// Makes what the command of a package uses of the command line.

import type { JobOptions, ModelKind, OpenOptions, Progress } from '../../entries/types.ts';
import { open, runReport } from '../../node.ts';
import { memoryOptions, parseMemoryOptions, threadOption } from '../generator/open-generator.ts';
import { openIndexFile } from '../search/open-index-file.ts';
import type { CommandOptions, OptionValues } from '../shared/command.ts';
import {
  fetchOptions,
  parseFetchOptions,
  parseRunOptions,
  runOptions,
} from '../shared/common-options.ts';
import {
  describeProblem,
  exitCodeOf,
  problemOf,
  UnreadableError,
  UsageError,
} from '../shared/failure.ts';
import { pathFor } from '../shared/file-urls.ts';
import { formatBytes, plural } from '../shared/format.ts';
import { directorySource, modelSource } from '../shared/input.ts';
import { openCall } from '../shared/open-model.ts';
import { byteCount, integer, numberInRange } from '../shared/option-values.ts';
import type { Terminal } from '../shared/terminal.ts';
import type { CommandHost, PackageCommand } from './package-command.ts';

const textOptions = { ...runOptions, ...fetchOptions } as const;
const openingOptions = { ...memoryOptions, ...threadOption, ...textOptions } as const;

/** The options with which a command of a package opens models. */
export function openingOptionsOf(opens: PackageCommand['opensModels']): CommandOptions {
  if (!opens) {
    return {};
  }
  return opens === 'but-generators' ? textOptions : openingOptions;
}

export type OpeningValues = OptionValues<typeof openingOptions>;

export function hostOf(terminal: Terminal, values: OpeningValues): CommandHost {
  return {
    signal: terminal.signal,
    get stopCode() {
      return terminal.stopCode;
    },
    get patience() {
      return terminal.patience;
    },
    set patience(seconds) {
      terminal.patience = seconds;
    },
    print: (line) => terminal.print(line),
    printJson: (value) => terminal.printJson(value),
    note: (line) => terminal.note(line),
    onProgress: terminal.onProgress,
    integer,
    numberInRange,
    byteCount,
    formatBytes,
    plural,
    usageError: (message, option) => new UsageError(message, option),
    unreadableError: (message) => new UnreadableError(message),
    describe: (error) => describeProblem(problemOf(error)),
    exitCodeOf,
    get fetching() {
      return parseFetchOptions(values);
    },
    openerOf: (file, kind) => openerOf(file, kind, values, terminal),
    indexOpenerOf: (file, model) => indexOpenerOf(file, model, values, terminal),
  };
}

/** Threads are for language models only, so a file is asked first what it holds. */
async function openerOf(
  given: string,
  kind: ModelKind | undefined,
  values: OpeningValues,
  terminal: Terminal,
) {
  const file = pathFor(given);
  const { onWarning, ...call } = openCall(terminal);
  const reading = { ...parseFetchOptions(values), ...call };
  const threads = integer(values.threads, '--threads');
  const options: OpenOptions = {
    ...parseMemoryOptions(values),
    ...parseRunOptions(values),
    onWarning,
    ...reading,
    ...(kind && { kind }),
  };
  // Tells at once of a file that is missing.
  await directorySource(file);
  return async (call: JobOptions = {}) => {
    const isGenerator = async () =>
      (await runReport(await directorySource(file), reading)).kind === 'generator';
    const takesThreads = threads !== undefined && (await isGenerator());
    const how = { ...options, ...withCall(call, terminal), ...(takesThreads && { threads }) };
    return open(await directorySource(file), how);
  };
}

async function indexOpenerOf(
  given: string,
  model: string | undefined,
  values: OpeningValues,
  terminal: Terminal,
) {
  const file = pathFor(given);
  // Tells at once of a file that is missing.
  await modelSource(file);
  if (model !== undefined) {
    await directorySource(model);
  }
  const options = { ...parseRunOptions(values), ...parseFetchOptions(values) };
  return (call: JobOptions = {}) =>
    openIndexFile(file, model, { ...options, ...withCall(call, terminal) }, terminal);
}

/** What a call of a package adds to the terminal: others may wait for the model, and stop to. */
function withCall({ signal, onProgress }: JobOptions, terminal: Terminal): JobOptions {
  return {
    ...(signal && { signal }),
    ...(onProgress && {
      onProgress: (progress: Progress) => {
        terminal.onProgress(progress);
        onProgress(progress);
      },
    }),
  };
}
