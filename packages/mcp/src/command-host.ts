// What the command uses of ambry's command line.
import type { FetchOptions, JobOptions, Model, ModelKind, SearchIndex } from 'ambry';

export interface CommandHost {
  /** Aborts after a signal to stop. */
  readonly signal: AbortSignal;
  /** Seconds that the command may go on after a signal. */
  patience: number;
  print(line: string): void;
  printJson(value: unknown): void;
  /** Writes a line to standard error. */
  note(line: string): void;
  /** These parse the value of an option. They throw a usage error. */
  integer(text: string | undefined, option: string, min?: number): number | undefined;
  numberInRange(text: string | undefined, option: string, min: number): number | undefined;
  byteCount(text: string | undefined, option: string): number | undefined;
  /** Makes an error with exit code 2. */
  usageError(message: string, option?: string): Error;
  describe(error: unknown): string;
  /** How models are fetched. */
  readonly fetching: FetchOptions;
  /** Resolves to the function that opens a model. Rejects if there is no such file. */
  openerOf(file: string, kind?: ModelKind): Promise<(call?: JobOptions) => Promise<Model>>;
  /** Resolves to the function that opens an index with its model. Rejects if there is no such file. */
  indexOpenerOf(
    file: string,
    model?: string,
  ): Promise<(call?: JobOptions) => Promise<{ readonly index: SearchIndex } & AsyncDisposable>>;
}
