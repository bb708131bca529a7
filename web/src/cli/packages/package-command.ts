// What a command of another package is, and what the command line hands to it. The packages state the parts that they use by
// themselves, so that they need no types of ambry; tests/web/cli/packages/packages.test.ts compares them.

import type { FetchOptions, JobOptions, ModelKind, Progress } from '../../entries/types.ts';
import type { Model, SearchIndex } from '../../index.ts';
import type { CommandHelp } from '../shared/command.ts';

/** What the command of a package may use of the command line. `Opened` is the type of models, `Index` that of indexes. */
export interface CommandHost<Opened = Model, Index = SearchIndex> {
  /** Aborts after a signal to stop. */
  readonly signal: AbortSignal;
  /** The exit code of a process that a signal ended; undefined if there was none. */
  readonly stopCode: number | undefined;
  /** Seconds that the command may go on after a signal. */
  patience: number;
  print(line: string): void;
  printJson(value: unknown): void;
  /** Writes a line to standard error. */
  note(line: string): void;
  readonly onProgress: (progress: Progress) => void;
  /** These parse the value of an option. They throw a usage error, which names the option. */
  integer(text: string | undefined, option: string, min?: number): number | undefined;
  numberInRange(text: string | undefined, option: string, min: number): number | undefined;
  byteCount(text: string | undefined, option: string): number | undefined;
  formatBytes(bytes: number): string;
  /** `1 page`, `2 pages` */
  plural(count: number, noun: string): string;
  /** Makes an error with exit code 2. */
  usageError(message: string, option?: string): Error;
  unreadableError(message: string): Error;
  describe(error: unknown): string;
  exitCodeOf(error: unknown): number;
  /** How models are fetched, as the options of `opensModels` say. */
  readonly fetching: FetchOptions;
  /** Resolves to the function that opens a model, as the options of `opensModels` say. Rejects if there is no such file. */
  openerOf(file: string, kind?: ModelKind): Promise<(call?: JobOptions) => Promise<Opened>>;
  /** Resolves to the function that opens an index file with the model that it names, or with another one. Rejects if there
   *  is no such file. */
  indexOpenerOf(
    file: string,
    model?: string,
  ): Promise<(call?: JobOptions) => Promise<{ readonly index: Index } & AsyncDisposable>>;
}

/** A command without its name and summary, which are in the list of commands. It takes `--json` besides its options. */
export interface PackageCommand<Opened = Model, Index = SearchIndex>
  extends Omit<CommandHelp, 'summary'> {
  /** The command takes the options with which ambry opens models, too: all, or those that are for texts and files, and not
   *  for language models. */
  readonly opensModels?: boolean | 'but-generators';
  /** The minimum and the maximum number of arguments. Absent where the package reads the whole command line by itself. */
  readonly argumentCount?: readonly [number, number];
  /** Resolves to the exit code. */
  run(
    args: readonly string[],
    values: Readonly<Record<string, unknown>>,
    host: CommandHost<Opened, Index>,
  ): Promise<number>;
}
