// Writes what happens in a session to its journal, one write after another. A session without a journal writes nothing.
import { AmbryError } from '../../base/errors.ts';
import type { Journal } from '../base/journal-types.ts';
import type { ChatMessage, SendOptions } from '../base/types.ts';
import type { DroppedRange, Written } from './conversation.ts';
import {
  cutMark,
  type Header,
  headerLine,
  type JournalEvent,
  type JournaledSession,
  lineOf,
  readJournal,
  type Unfinished,
} from './records.ts';

/** Tokens of this period are written together. A crash loses no more than they, and they are computed again. */
const periodMs = 100;

export class SessionJournal {
  readonly #journal: Journal | undefined;
  /** Gives the first line; undefined once it is there. */
  #header: (() => Header) | undefined;
  /** What comes before the next event. */
  #before = '';
  #unfinished: Unfinished | null = null;
  #last: Promise<void> = Promise.resolve();
  #ids: number[] = [];
  #wroteIdsAt = 0;
  /** How many of the next tokens the journal has already. */
  #known = 0;

  constructor(journal?: Journal, header?: () => Header) {
    this.#journal = journal;
    this.#header = header;
  }

  /** A journal that has a session. */
  static read(
    journal: Journal,
    { unfinished, isCut }: Pick<JournaledSession, 'unfinished' | 'isCut'>,
  ): SessionJournal {
    const read = new SessionJournal(journal);
    read.#unfinished = unfinished;
    read.#before = isCut ? cutMark : '';
    return read;
  }

  /** An answer of the journal that has not ended. */
  get unfinished(): Unfinished | null {
    return this.#unfinished;
  }

  /** An answer begins, or goes on after `resumeIds`. Returns what takes its tokens. */
  async begin(message: ChatMessage, options: SendOptions, resumeIds?: readonly number[]) {
    this.#ids = [];
    this.#known = resumeIds?.length ?? 0;
    if (!resumeIds) {
      this.#unfinished = null;
      const { signal: _, onProgress: __, ...kept } = options;
      await this.#add({ send: { message, options: kept } });
    }
    return (tokens: readonly { readonly id: number }[]) => this.#addIds(tokens.map(({ id }) => id));
  }

  async end(written: Written, dropped: DroppedRange): Promise<void> {
    this.#unfinished = null;
    await this.#add({ end: { ...written, dropped } });
  }

  /** The answer was stopped before its first token, or failed. One that can go on stays: its worker died, or the model is
   *  another one. */
  async cancel(error?: unknown): Promise<void> {
    const { code } = (error ?? {}) as Partial<AmbryError>;
    if (code !== 'Crashed' && code !== 'Mismatch') {
      this.#unfinished = null;
      await this.#add({ cancel: true });
    }
  }

  async rewind(count: number): Promise<void> {
    await this.#add({ rewind: count });
    this.#unfinished = null;
  }

  /** An error of writing tokens is that of the next event. */
  #addIds(ids: readonly number[]): void {
    const known = Math.min(this.#known, ids.length);
    this.#known -= known;
    this.#ids.push(...ids.slice(known));
    const now = performance.now();
    if (this.#ids.length > 0 && now - this.#wroteIdsAt >= periodMs) {
      this.#wroteIdsAt = now;
      this.#write(this.#takeIds()).catch(() => {});
    }
  }

  #takeIds(): string {
    const ids = this.#ids.splice(0);
    return ids.length > 0 ? lineOf({ ids }) : '';
  }

  /** Resolves when the event is written. */
  #add(event: JournalEvent): Promise<void> {
    return this.#write(this.#takeIds() + lineOf(event));
  }

  /** After a write that failed, all others fail alike, because the lines would not follow each other. */
  #write(text: string): Promise<void> {
    const journal = this.#journal;
    if (!journal) {
      return this.#last;
    }
    this.#last = this.#last.then(async () => {
      const first = await this.#firstLine(journal);
      await journal.append(first + this.#before + text);
      this.#header = undefined;
      this.#before = '';
    });
    this.#last.catch(() => {});
    return this.#last;
  }

  async #firstLine(journal: Journal): Promise<string> {
    if (!this.#header) {
      return '';
    }
    const text = await journal.read();
    if (readJournal(text) === undefined) {
      return (text === '' ? '' : cutMark) + headerLine(this.#header());
    }
    const message =
      'This journal has a session already. Go on with it by model.resumeSession(journal), or clear the journal.';
    throw new AmbryError('BadValue', message, { path: 'options.journal' });
  }
}
