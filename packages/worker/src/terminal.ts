// Writes results to standard output, and messages and progress to standard error.

/** What a command has of the process. */
export interface Terminal {
  readonly signal: AbortSignal;
  /** Writes a line to standard output. */
  print(line: string): void;
  /** Writes a line to standard error. */
  note(line: string): void;
  /** Shows a line in place of the last one, if standard error is a terminal. */
  progress(line: string): void;
}

/** @param signal Stops the command. */
export function openTerminal(signal: AbortSignal): Terminal {
  const isTerminal = process.stderr.isTTY === true;
  const clear = isTerminal ? '\r\x1b[K' : '';
  // A worker goes on when nobody reads its messages.
  process.stderr.on('error', () => {});
  return {
    signal,
    print: (line) => process.stdout.write(`${line}\n`),
    note: (line) => process.stderr.write(`${clear}${line}\n`),
    progress: (line) => {
      if (isTerminal) {
        process.stderr.write(`${clear}${line}`);
      }
    },
  };
}
