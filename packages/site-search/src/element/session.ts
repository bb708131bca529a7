// What one element asks, one query after another. A new one ends the one before.

import type { MeaningState, SearchMode, SearchOptions, SiteAnswer } from '../client/base/types.ts';
import type { SiteSearch } from '../client/site-search.ts';
import { isAbort } from './problem.ts';
import type { SearchUse } from './shared-search.ts';

/** What an element searches for. */
export interface Question {
  readonly query: string;
  readonly mode: SearchMode;
  readonly options: Pick<SearchOptions, 'k' | 'filters' | 'facets'>;
}

/** The bytes of the model. */
export interface Loading {
  readonly loaded: number;
  readonly total: number;
}

interface SessionEvents {
  /** A search begins, or has its first answer. */
  readonly onBusy: (isBusy: boolean) => void;
  /** `siteUrl` is the address of the site. */
  readonly onAnswer: (answer: SiteAnswer, siteUrl: string) => void;
  readonly onError: (error: unknown) => void;
  /** News of the model. `loading` is there while its bytes arrive. */
  readonly onMeaning: (state: MeaningState, loading?: Loading, error?: unknown) => void;
}

/** From the last key to the search: shorter than a pause between words, and longer than one between letters. */
const typingPause = 120;

export class Session {
  readonly #use: SearchUse;
  readonly #events: SessionEvents;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: AbortController | undefined;
  #preparing: Promise<void> | undefined;
  readonly #end = new AbortController();

  constructor(use: SearchUse, events: SessionEvents) {
    this.#use = use;
    this.#events = events;
  }

  /** Asks after a pause in typing, or at once. */
  ask(question: Question, isNow: boolean): void {
    clearTimeout(this.#timer);
    if (isNow) {
      this.#start(question);
    } else {
      this.#timer = setTimeout(() => this.#start(question), typingPause);
    }
  }

  /** Forgets the question. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#running?.abort();
    this.#running = undefined;
    this.#events.onBusy(false);
  }

  /** Fetches the manifest, and with `model` the model too. A failure is told by the next search, or as news of the model. */
  prepare({ model }: { readonly model: boolean }): void {
    const opening = this.#use.open();
    opening.catch(() => {});
    if (!model || this.#preparing) {
      return;
    }
    this.#preparing = opening
      .then((site) => this.#loadModel(site))
      .catch(() => {})
      .finally(() => {
        this.#preparing = undefined;
      });
  }

  /** Fetches the model once more after a failure, also after the failure of a try that has not ended yet. */
  async prepareAgain(): Promise<void> {
    await this.#preparing;
    if (!this.#end.signal.aborted) {
      this.prepare({ model: true });
    }
  }

  release(): void {
    this.stop();
    this.#end.abort();
    this.#use.release();
  }

  async #loadModel(site: SiteSearch): Promise<void> {
    const { signal } = this.#end;
    const { onMeaning } = this.#events;
    if (site.meaning === 'ready' || site.meaning === 'off') {
      onMeaning(site.meaning);
      // Who searches hears of a failure.
      site.prepare({ signal }).catch(() => {});
      return;
    }
    onMeaning('loading');
    try {
      await site.prepare({
        signal,
        onProgress: ({ loaded, total }) => {
          if (!signal.aborted) {
            onMeaning('loading', { loaded, total });
          }
        },
      });
      onMeaning('ready');
    } catch (error) {
      if (!isAbort(error)) {
        onMeaning('failed', undefined, error);
      }
    }
  }

  async #start(question: Question): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.#events.onBusy(true);
    try {
      const site = await this.#use.open();
      for await (const answer of answersOf(site, question, running.signal)) {
        if (running.signal.aborted) {
          return;
        }
        this.#events.onAnswer(answer, site.siteUrl);
        // What follows only adds to it.
        this.#events.onBusy(false);
      }
    } catch (error) {
      if (this.#running === running && !isAbort(error)) {
        this.#events.onError(error);
      }
    } finally {
      if (this.#running === running) {
        this.#running = undefined;
        this.#events.onBusy(false);
      }
    }
  }
}

async function* answersOf(
  site: SiteSearch,
  { query, mode, options }: Question,
  signal: AbortSignal,
): AsyncGenerator<SiteAnswer, void, undefined> {
  signal.throwIfAborted();
  if (mode === 'auto') {
    yield* site.answers(query, { ...options, signal });
  } else {
    yield await site.search(query, { ...options, mode, signal });
  }
}
