// Has a worker read Markdown, one text after another. A text that takes too long ends the worker and is shown as it is.

import { type Block, type MarkdownReply, type MarkdownRequest, maxUnits } from './document.ts';

/** A text may take the worker this long. Usual answers take a few milliseconds. */
const patienceMs = 1000;
/** The worker may take this long to arrive. */
const startPatienceMs = 10_000;

/** The part of a worker that the reader uses. */
export interface MarkdownWorker {
  postMessage(request: MarkdownRequest): void;
  addEventListener(
    type: 'message',
    listen: (event: MessageEvent<unknown>) => void,
    options: { readonly once: true },
  ): void;
  addEventListener(type: 'error', listen: (event: Event) => void): void;
  terminate(): void;
}

const newWorker = (): MarkdownWorker =>
  new Worker(new URL('./markdown-worker.ts', import.meta.url), { type: 'module' });

export class MarkdownReader {
  readonly #make: () => MarkdownWorker;
  readonly #patienceMs: number;
  #worker: Promise<MarkdownWorker | null> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** Ends the reading under way without blocks. */
  #giveUp: () => void = () => undefined;

  constructor(make = newWorker, patience = patienceMs) {
    this.#make = make;
    this.#patienceMs = patience;
  }

  /** The blocks of a text, or null for a text that is better shown as it is. Never rejects. */
  read(text: string): Promise<readonly Block[] | null> {
    if (text.length > maxUnits) {
      return Promise.resolve(null);
    }
    const reading = this.#last.then(() => this.#readNow(text));
    this.#last = reading;
    return reading;
  }

  async #readNow(text: string): Promise<readonly Block[] | null> {
    this.#worker ??= this.#start();
    const worker = await this.#worker;
    if (worker === null) {
      return null;
    }
    const reply = await this.#answer(worker, { text });
    if (reply === null) {
      worker.terminate();
      this.#worker = undefined;
    }
    return reply?.blocks ?? null;
  }

  /** A worker that is ready, or null if it cannot start. */
  async #start(): Promise<MarkdownWorker | null> {
    try {
      const worker = this.#make();
      const isReady = await new Promise<boolean>((resolve) => {
        worker.addEventListener('message', () => resolve(true), { once: true });
        worker.addEventListener('error', (event) => {
          event.preventDefault();
          resolve(false);
          this.#giveUp();
          // The next text starts another worker.
          this.#worker = undefined;
        });
        setTimeout(() => resolve(false), startPatienceMs);
      });
      return isReady ? worker : null;
    } catch {
      return null;
    }
  }

  #answer(worker: MarkdownWorker, request: MarkdownRequest): Promise<MarkdownReply | null> {
    return new Promise((resolve) => {
      this.#giveUp = () => resolve(null);
      const timer = setTimeout(() => resolve(null), this.#patienceMs);
      const listen = ({ data }: MessageEvent<unknown>): void => {
        clearTimeout(timer);
        resolve(data as MarkdownReply);
      };
      worker.addEventListener('message', listen, { once: true });
      worker.postMessage(request);
    });
  }
}
