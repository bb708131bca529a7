// Writes results to standard output, and messages and progress to standard error.

// Control characters but line feeds and tabs, and marks that turn the order of a text around. A queue, a table and a file may hold
// some, and they could clear the screen or hide what a line says.
const controls = /(?![\n\t])\p{Cc}|[\u2028-\u202e\u2066-\u2069]/gu;

/** Makes them visible, such as `\u001b`. */
function visible(text: string): string {
  return text.replace(
    controls,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

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
    print: (line) => process.stdout.write(`${visible(line)}\n`),
    note: (line) => process.stderr.write(`${clear}${visible(line)}\n`),
    progress: (line) => {
      if (isTerminal) {
        process.stderr.write(`${clear}${visible(line)}`);
      }
    },
  };
}
