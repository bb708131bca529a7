// `ambry/passages`: splits documents into passages that are short enough for one vector each. The command line and
// the demo use it.

import type { ReadDocument, ReadExamples, ReadRecords } from '../../passages/base/types.ts';
import { requirePdfPackage } from '../../passages/pdf/pdf-package.ts';
import { documentReader } from '../../passages/reading/read-document.ts';
import { readExamples as examplesIn } from '../../passages/reading/read-examples.ts';
import { recordSessions } from '../../passages/reading/record-sessions.ts';
import { recordReader } from '../../passages/records/record-stream.ts';
import { startWebReader } from './web-readers.ts';

/** The file name extensions that `readDocument` reads. */
export { passageFileTypes } from '../../passages/base/file-types.ts';
export { type LeftOut, leftOutOf } from '../../passages/base/left-out.ts';
export type {
  DocumentOptions,
  DocumentRead,
  ExamplesRead,
  Passage,
  ReadDocument,
  ReadExamples,
  ReadRecords,
  RecordOptions,
  StreamedRecord,
} from '../../passages/base/types.ts';
export { dropDuplicates } from '../../passages/drop-duplicates.ts';

const startReader = typeof Worker === 'function' ? startWebReader : undefined;
const loadPdfjs = async (path: string) => requirePdfPackage(path).loadPdfjs();

/**
 * Splits a document into passages by its file type. Texts, pages, notebooks, Word documents and PDFs are split at headings,
 * paragraphs and sentences; CSV, JSON and JSON Lines at records. A passage has 128 tokens at most. After a cut between
 * sentences the next passage begins with the last sentence again. The encoding is detected.
 *
 * The document is read in a worker, and `bytes` stay as they are. Where no worker can be started it is read on the
 * caller's thread, which yields now and then.
 *
 * PDFs need the package `ambry-pdf`. Node finds it where it is installed, and a page imports it: `import 'ambry-pdf'`.
 *
 * Rejects with an `AmbryError`: `BadValue` for broken CSV or JSON, `Unsupported` for an unknown type, for
 * files that are not text and for a PDF without that package, `LimitExceeded` for a file that is too
 * large, or that is made to be slow. An abort rejects with an `AbortError`.
 *
 * @example
 * const { passages, warnings } = await readDocument('notes.md', new Uint8Array(await file.arrayBuffer()), {
 *   count: (texts) => model.tokenCounts(texts),
 * });
 * const index = await createIndex(model, passages);
 */
export const readDocument: ReadDocument = documentReader(startReader, loadPdfjs);

/**
 * Reads JSON Lines (UTF-8) from a stream, in constant memory. Blank lines are skipped. A worker reads them, and takes
 * the next bytes when the caller has taken the records before.
 *
 * Throws an `AmbryError` whose `path` names the line: `BadValue` if the line is not JSON or not UTF-8, and
 * `LimitExceeded` if it is longer than 64 MB. An abort throws the signal's reason.
 *
 * @example
 * for await (const { id, text } of readRecords(file.stream())) await index.add([{ id, text }]);
 */
export const readRecords: ReadRecords = recordReader(recordSessions(startReader));

/**
 * Reads texts with their labels for `createClassifier`: JSON and JSON Lines with the fields `text` and `label`, tables (CSV, TSV)
 * with these columns, and lines of fastText (`__label__x text`). The name of the file tells which, and else how it begins.
 * The encoding is detected. Nothing is added to the texts.
 *
 * Rejects with `BadValue` for broken JSON and CSV, and with `Unsupported` for a file that is not text.
 *
 * @example
 * const { examples } = await readExamples('topics.csv', new Uint8Array(await file.arrayBuffer()));
 * const topics = await createClassifier(encoder, examples);
 */
export const readExamples: ReadExamples = examplesIn;
