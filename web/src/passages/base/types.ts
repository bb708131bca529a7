// The public types of `ambry/passages`.
import type { AmbryError } from '../../base/errors.ts';

/** A piece of a document, ready for `createIndex`. */
export interface Passage {
  /** The record's own id, or `path#3` for the third passage of the document. */
  readonly id: string | number;
  readonly text: string;
  /** The document's path, as the caller gave it. */
  readonly source: string;
  /** Where the passage begins: a line of a text, a record of a table or a page of a PDF. Counts from 1. */
  readonly position: number;
  /** The headings above the passage, outermost first, joined by ` › `. */
  readonly heading?: string;
  /** The page of a PDF on which the passage begins. Counts from 1. */
  readonly page?: number;
  readonly [field: string]: unknown;
}

export interface DocumentOptions {
  /**
   * Counts the tokens of each text, as `model.tokenCounts` does. Without it the counts are estimated from
   * words, punctuation and characters.
   */
  readonly count?: (texts: readonly string[]) => Promise<ArrayLike<number>>;
  /** The maximum number of tokens in a passage. Default: 128. */
  readonly most?: number;
  readonly signal?: AbortSignal;
}

export interface DocumentRead {
  readonly passages: Passage[];
  /** The encoding of the text, such as `utf-8` or `shift_jis`. Null for a PDF. */
  readonly encoding: string | null;
  /** Sentences for the user: the encoding was guessed, pages have no text, the file is empty. */
  readonly warnings: string[];
}

/** What `readDocument` is. A text is read as its bytes would be. */
export type ReadDocument = (
  path: string,
  bytes: Uint8Array | ArrayBuffer | string,
  options?: DocumentOptions,
) => Promise<DocumentRead>;

/** Options of `readRecords`. */
export interface RecordOptions {
  /** Called with the error of each line that is not a record. The line is then skipped. Without this function the
   *  error is thrown. */
  readonly onBadLine?: (error: AmbryError) => void;
  /** The name of the source in error messages. Default: `standard input`. */
  readonly name?: string;
  readonly signal?: AbortSignal;
}

/** What `readRecords` is. */
export type ReadRecords = (
  stream: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
  options?: RecordOptions,
) => AsyncGenerator<StreamedRecord>;

/** A record of a JSON Lines file. */
export interface StreamedRecord {
  /** Undefined if the record has no id. */
  readonly id: string | number | undefined;
  /** Empty if the record has no text. */
  readonly text: string;
  /** All other fields of the record. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The line of the record. Counts from 1. */
  readonly line: number;
}

/** What `readExamples` reads. */
export interface ExamplesRead {
  /** `createClassifier` takes them, and refuses those without a text or a label. */
  readonly examples: readonly { readonly text: string; readonly label: string }[];
  /** What was left out or guessed. */
  readonly warnings: readonly string[];
}

export type ReadExamples = (name: string, bytes: Uint8Array | ArrayBuffer) => Promise<ExamplesRead>;
