// Where a command writes: results to standard output; progress to a terminal's standard error only.
import { once } from 'node:events';
import type { Progress } from '../../types.ts';
import { formatBytes, formatCount } from './format.ts';
import { formatDuration, Pace, type PaceNow } from './progress-rate.ts';

const kBarWidth = 24;
/** What phases count that count other things than bytes. */
const kCounted: Readonly<Partial<Record<Progress['phase'], string>>> = {
  embed: 'texts',
  train: 'parts',
  calibrate: 'tokens',
  accuracy: 'questions',
  prompt: 'tokens',
  generate: 'tokens',
  perplexity: 'tokens',
};

export class Terminal {
  /** Aborted by Ctrl-C, and by who else asks the process to end. */
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #pace = new Pace();
  #told: string | undefined;
  #barShown = false;

  constructor() {
    this.signal = this.#controller.signal;
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.once(name, () => this.#controller.abort());
    }
    // Whoever reads our output may have heard enough (`| head`).
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit(0);
    });
  }

  /** A line on standard output. */
  print(line: string): void {
    this.clearBar();
    process.stdout.write(`${line}\n`);
  }

  json(value: unknown): void {
    this.print(JSON.stringify(value));
  }

  /** A line on standard error. */
  note(line: string): void {
    this.clearBar();
    process.stderr.write(`${line}\n`);
  }

  /** A piece of standard output; waits until there is room for the next. */
  async send(piece: string | Uint8Array): Promise<void> {
    this.clearBar();
    const { signal } = this;
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain', { signal });
    signal.throwIfAborted();
  }

  /** Bytes on standard output, as fast as they are taken. */
  async write(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of chunks) await this.send(chunk);
  }

  /** Draws a bar, if there is a terminal to draw it on; what went wrong by the way is told once in any case. */
  readonly onProgress = (progress: Progress): void => {
    const { phase, loaded, total, note } = progress;
    if (note !== undefined && note !== this.#told) this.note(`warning  ${note}`);
    this.#told = note ?? this.#told;
    if (!process.stderr.isTTY) return;
    const share = total === 0 ? 0 : Math.min(loaded / total, 1);
    const done = Math.round(share * kBarWidth);
    const bar = '█'.repeat(done) + '░'.repeat(kBarWidth - done);
    const now = this.#pace.take(progress, performance.now());
    process.stderr.write(`\r\x1b[K${phase.padEnd(8)} ${bar} ${amounts(progress, now)}`);
    this.#barShown = true;
  };

  clearBar(): void {
    if (this.#barShown) process.stderr.write('\r\x1b[K');
    this.#barShown = false;
  }
}

/** `1,024 of 4,000, 410 texts/s, 8 s left` */
function amounts({ phase, loaded, total }: Progress, pace: PaceNow | null): string {
  const noun = kCounted[phase];
  const amount = noun === undefined ? formatBytes : formatCount;
  const parts = [total === 0 ? amount(loaded) : `${amount(loaded)} of ${amount(total)}`];
  if (pace) parts.push(speed(pace.perSecond, noun));
  if (pace && pace.secondsLeft !== null) parts.push(`${formatDuration(pace.secondsLeft)} left`);
  return parts.join(', ');
}

function speed(perSecond: number, noun: string | undefined): string {
  if (noun === undefined) return `${formatBytes(perSecond)}/s`;
  const count = perSecond < 10 ? perSecond.toPrecision(2) : formatCount(Math.round(perSecond));
  return `${count} ${noun}/s`;
}
