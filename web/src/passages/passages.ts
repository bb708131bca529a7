// `ambry/passages`: splits documents into passages that are short enough for one vector each. The command line and
// the demo use it.
import { documentReader } from './reading/read-document.ts';
import { startWebReader } from './reading/web-readers.ts';
import type { ReadDocument } from './types.ts';

export { dropDuplicates } from './drop-duplicates.ts';
/** The file name extensions that `readDocument` reads. */
export { passageFileTypes } from './file-types.ts';
export { type RecordOptions, readRecords } from './records/record-stream.ts';
export type {
  DocumentOptions,
  DocumentRead,
  Passage,
  ReadDocument,
  StreamedRecord,
} from './types.ts';

/**
 * Splits a document into passages by its file type. Markdown, HTML, plain text and PDF are split at headings,
 * paragraphs and sentences; CSV, JSON and JSON Lines at records. A passage has 128 tokens at most. After a cut between
 * sentences the next passage begins with the last sentence again. The encoding is detected.
 *
 * The document is read in a worker, and `bytes` stay as they are. Where no worker can be started it is read on the
 * caller's thread, which yields now and then.
 *
 * Rejects with an {@link AmbryError}: `BadValue` for broken CSV or JSON, `Unsupported` for an unknown type and for
 * files that are not text, `LimitExceeded` for a file that is too
 * large, or that is made to be slow. An abort rejects with an `AbortError`.
 *
 * @example
 * const { passages, warnings } = await readDocument('notes.md', new Uint8Array(await file.arrayBuffer()), {
 *   count: (texts) => model.tokenCounts(texts),
 * });
 * const index = await createIndex(model, passages);
 */
export const readDocument: ReadDocument = documentReader(
  typeof Worker === 'function' ? startWebReader : undefined,
);
