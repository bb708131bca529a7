// What the commands of servers use of ambry's command line.
import { AmbryError } from 'ambry';

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
}

/** The error of a call with the option as it is typed: `options.maxBody` is `--max-body`. Other errors are as they were. `path` may
 *  change the path before. */
export function asUsage(
  error: unknown,
  { usageError }: Pick<CommandHost, 'usageError'>,
  path: (path: string) => string = (path) => path,
): unknown {
  if (!(error instanceof AmbryError) || !error.path?.startsWith('options.')) {
    return error;
  }
  const name = path(error.path.slice('options.'.length))
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .replace(/-hosts\b/, '-host');
  return usageError(error.message, `--${name}`);
}

/** Whether somebody stopped the work. A signal ends the opening of a model. */
export const isAbort = (error: unknown): boolean =>
  error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name);
