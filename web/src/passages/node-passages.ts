// `ambry/passages` in Node.
import { startNodeReader } from './node-readers.ts';
import { documentReader } from './reading/read-document.ts';
import type { ReadDocument } from './types.ts';

export { dropDuplicates } from './drop-duplicates.ts';
export { passageFileTypes } from './file-types.ts';
export { type RecordOptions, readRecords } from './records/record-stream.ts';
export type {
  DocumentOptions,
  DocumentRead,
  Passage,
  ReadDocument,
  StreamedRecord,
} from './types.ts';

export const readDocument: ReadDocument = documentReader(startNodeReader);
