// Makes what the command of a package uses of the command line.

import type { OpenOptions } from '../../entries/types.ts';
import { open, runReport } from '../../node.ts';
import { memoryOptions, parseMemoryOptions, threadOption } from '../generator/open-generator.ts';
import type { OptionValues } from '../shared/command.ts';
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
import { directorySource } from '../shared/input.ts';
import { openCall } from '../shared/open-model.ts';
import { byteCount, integer, numberInRange } from '../shared/option-values.ts';
import type { Terminal } from '../shared/terminal.ts';
import type { CommandHost } from './package-command.ts';

/** The options with which a command of a package opens models. */
export const openingOptions = {
  ...memoryOptions,
  ...threadOption,
  ...runOptions,
  ...fetchOptions,
} as const;

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
    openerOf: (file) => openerOf(file, values, terminal),
  };
}

/** Threads are for language models only, so a file is asked first what it holds. */
async function openerOf(given: string, values: OpeningValues, terminal: Terminal) {
  const file = pathFor(given);
  const { onWarning, ...call } = openCall(terminal);
  const reading = { ...parseFetchOptions(values), ...call };
  const threads = integer(values.threads, '--threads');
  const options: OpenOptions = {
    ...parseMemoryOptions(values),
    ...parseRunOptions(values),
    onWarning,
    ...reading,
  };
  // Tells at once of a file that is missing.
  await directorySource(file);
  return async () => {
    const isGenerator = async () =>
      (await runReport(await directorySource(file), reading)).kind === 'generator';
    const takesThreads = threads !== undefined && (await isGenerator());
    return open(await directorySource(file), { ...options, ...(takesThreads && { threads }) });
  };
}
