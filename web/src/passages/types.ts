// The vocabulary of `ambry/passages`.

/** A piece of a document, ready for `createIndex`. */
export interface Passage {
  /** The record's own id, or `path#3`: the third passage of the document. */
  readonly id: string | number;
  readonly text: string;
  /** The document's path, as given. */
  readonly source: string;
  /** Where the passage begins: its line in a text, its record in a table, its page in a PDF; from 1. */
  readonly position: number;
  /** The headings over it, outermost first, joined by ` › `. */
  readonly heading?: string;
  /** The page it begins on, of a PDF; from 1. */
  readonly page?: number;
  readonly [field: string]: unknown;
}

export interface DocumentOptions {
  /**
   * Counts the tokens of texts, as `model.tokenCounts` does. When absent, they are estimated from words,
   * punctuation and characters.
   */
  readonly count?: (texts: readonly string[]) => Promise<ArrayLike<number>>;
  /** Most tokens of a passage; 128 when absent. */
  readonly most?: number;
  readonly signal?: AbortSignal;
}

export interface DocumentRead {
  readonly passages: Passage[];
  /** What the text is encoded in, such as `utf-8` or `shift_jis`; null for a PDF. */
  readonly encoding: string | null;
  /** What a person should know, in sentences: a guessed encoding, pages without text, an empty file. */
  readonly warnings: string[];
}

/** A line of JSON Lines. */
export interface StreamedRecord {
  /** Absent where the record has none. */
  readonly id: string | number | undefined;
  /** Empty where the record has none. */
  readonly text: string;
  /** Everything else that the record holds. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** From 1. */
  readonly line: number;
}
