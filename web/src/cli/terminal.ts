// Where a command writes: results to standard output; progress to a terminal's standard error only.
import { once } from 'node:events';
import type { Progress } from '../types.ts';
import { formatBytes } from './format.ts';

const kBarWidth = 24;

export class Terminal {
  /** Aborted by Ctrl-C, and by who else asks the process to end. */
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
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

  /** Bytes on standard output, as fast as they are taken. */
  async write(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    this.clearBar();
    const { signal } = this;
    for await (const chunk of chunks) {
      if (!process.stdout.write(chunk)) await once(process.stdout, 'drain', { signal });
      signal.throwIfAborted();
    }
  }

  /** Draws a bar, if there is a terminal to draw it on. */
  readonly onProgress = ({ phase, loaded, total }: Progress): void => {
    if (!process.stderr.isTTY) return;
    const amount = ['embed', 'train', 'accuracy', 'prompt', 'generate', 'perplexity'].includes(
      phase,
    )
      ? String
      : formatBytes;
    const share = total === 0 ? 0 : Math.min(loaded / total, 1);
    const done = Math.round(share * kBarWidth);
    const bar = '█'.repeat(done) + '░'.repeat(kBarWidth - done);
    const of = total === 0 ? '' : ` of ${amount(total)}`;
    process.stderr.write(`\r\x1b[K${phase.padEnd(8)} ${bar} ${amount(loaded)}${of}`);
    this.#barShown = true;
  };

  clearBar(): void {
    if (this.#barShown) process.stderr.write('\r\x1b[K');
    this.#barShown = false;
  }
}
