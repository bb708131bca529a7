// Writes results to standard output, and messages and progress to standard error.
import { once } from 'node:events';
import { constants } from 'node:os';
import { abortError } from '../../base/errors.ts';
import { exactJson } from '../../base/exact-json.ts';
import { visibleLine, visibleText } from '../../base/visible.ts';
import type { Progress } from '../../entries/types.ts';
import { cannotWrite } from '../../output/node-output.ts';
import { describeProblem } from './failure.ts';
import { formatBytes, formatCount, formatDuration } from './format.ts';
import { type ProgressEstimate, ProgressRate } from './progress-rate.ts';

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** A shell's exit code for a process that a signal ended is this and the number of the signal. */
const signalBase = 128;
const barWidth = 24;
/** What the progress of a phase counts. All other phases count bytes. */
const countedItems: Readonly<Partial<Record<Progress['phase'], string>>> = {
  embed: 'texts',
  score: 'texts',
  train: 'parts',
  calibrate: 'tokens',
  accuracy: 'questions',
  prompt: 'tokens',
  generate: 'tokens',
  perplexity: 'tokens',
};

export class Terminal {
  /** Whether a person sees standard output. */
  readonly isTerminal = process.stdout.isTTY === true;
  readonly hasColours = this.isTerminal && process.stdout.hasColors();
  /** Aborts on Ctrl-C and when another process asks this one to end. */
  readonly signal: AbortSignal;
  /** Seconds that a job may go on after a signal. */
  patience = 5;
  #stopCode: number | undefined;
  readonly #controller = new AbortController();
  readonly #rate = new ProgressRate();
  #lastNote: string | undefined;
  readonly #said = new Set<string>();
  #barShown = false;

  constructor() {
    this.signal = this.#controller.signal;
    for (const name of stopSignals) {
      process.on(name, () => this.#stop(name));
    }
    process.stdout.on('error', (error) => this.#outputFailed(error));
    // Results matter more than messages about them.
    process.stderr.on('error', () => {});
  }

  /** The exit code of a process that a signal ended; undefined if there was none. */
  get stopCode(): number | undefined {
    return this.#stopCode;
  }

  /** The first signal stops the job, which removes its temporary files. A second one ends the process at once, and its
   *  exit removes them. */
  #stop(name: (typeof stopSignals)[number]): void {
    if (this.#stopCode !== undefined) {
      process.exit(this.#stopCode);
    }
    const code = signalBase + constants.signals[name];
    this.#stopCode = code;
    this.#controller.abort();
    // A read that waits for input cannot be aborted.
    process.stdin.on('error', () => {}).destroy(abortError(this.signal));
    setTimeout(() => process.exit(code), this.patience * 1000).unref();
  }

  /** The reader may stop early, such as `head`: that is no error. */
  #outputFailed(error: NodeJS.ErrnoException): never {
    if (error.code === 'EPIPE' || error.code === 'ECONNRESET') {
      process.exit();
    }
    const problem = cannotWrite('standard output', error).toJSON();
    this.note(`ambry: ${describeProblem(problem)}`);
    process.exit(1);
  }

  /** Writes a line to standard output, with its control characters made visible. */
  print(line: string): void {
    this.clearBar();
    process.stdout.write(`${visibleLine(line)}\n`);
  }

  /** Writes a JSON document on one line of standard output. */
  printJson(value: unknown): void {
    this.print(exactJson(value));
  }

  /** Writes the lines of a text to standard output. */
  printText(text: string): void {
    for (const line of text.split(/\r?\n/)) {
      this.print(line);
    }
  }

  /** Writes a line to standard error, with its control characters made visible. */
  note(line: string): void {
    this.clearBar();
    process.stderr.write(`${visibleLine(line)}\n`);
  }

  /** Writes a part of a text to standard error if that is a terminal, in a quiet colour. */
  aside(part: string): void {
    if (process.stderr.isTTY && part !== '') {
      this.clearBar();
      process.stderr.write(`\u001b[2m${visibleText(part)}\u001b[22m`);
    }
  }

  /** Writes a part of standard output and waits until the reader is ready for more. Control characters of a text become
   *  visible, without its line feeds and tabs. Bytes are written as they are. */
  async write(part: string | Uint8Array): Promise<void> {
    this.clearBar();
    const { signal } = this;
    if (!process.stdout.write(typeof part === 'string' ? visibleText(part) : part)) {
      await once(process.stdout, 'drain', { signal });
    }
    signal.throwIfAborted();
  }

  /** Writes all chunks to standard output. */
  async pipe(chunks: AsyncIterable<string | Uint8Array>): Promise<void> {
    for await (const chunk of chunks) {
      await this.write(chunk);
    }
  }

  /** Draws a progress bar if standard error is a terminal. Prints each new note as a warning. */
  readonly onProgress = (progress: Progress): void => {
    const { phase, loaded, total, note } = progress;
    if (note !== undefined && note !== this.#lastNote) {
      this.note(`warning  ${note}`);
      this.#said.add(note);
    }
    this.#lastNote = note ?? this.#lastNote;
    if (!process.stderr.isTTY) {
      return;
    }
    const share = total === 0 ? 0 : Math.min(loaded / total, 1);
    const filled = Math.round(share * barWidth);
    const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
    const estimate = this.#rate.update(progress, performance.now());
    process.stderr.write(
      `\r\x1b[K${phase.padEnd(8)} ${bar} ${describeProgress(progress, estimate)}`,
    );
    this.#barShown = true;
  };

  /** Shows how many texts are done of any number, unless their results are seen. */
  countTexts(loaded: number): void {
    if (!this.isTerminal) {
      this.onProgress({ phase: 'score', loaded, total: 0, cached: false });
    }
  }

  /** Whether a note of the progress had this text. */
  hasSaid(note: string): boolean {
    return this.#said.has(note);
  }

  clearBar(): void {
    if (this.#barShown) {
      process.stderr.write('\r\x1b[K');
    }
    this.#barShown = false;
  }
}

/** `1,024 of 4,000, 410 texts/s, 8 s left` */
function describeProgress(
  { phase, loaded, total }: Progress,
  estimate: ProgressEstimate | null,
): string {
  const items = countedItems[phase];
  const format = items === undefined ? formatBytes : formatCount;
  const parts = [total === 0 ? format(loaded) : `${format(loaded)} of ${format(total)}`];
  if (estimate) {
    parts.push(formatSpeed(estimate.perSecond, items));
  }
  if (estimate && estimate.secondsLeft !== null) {
    parts.push(`${formatDuration(estimate.secondsLeft)} left`);
  }
  return parts.join(', ');
}

function formatSpeed(perSecond: number, items: string | undefined): string {
  if (items === undefined) {
    return `${formatBytes(perSecond)}/s`;
  }
  const count = perSecond < 10 ? perSecond.toPrecision(2) : formatCount(Math.round(perSecond));
  return `${count} ${items}/s`;
}
