// `ambry/passages` in Node: the same, with workers of Node.

import type { ReadDocument, ReadRecords } from '../../passages/base/types.ts';
import { documentReader } from '../../passages/reading/read-document.ts';
import { recordSessions } from '../../passages/reading/record-sessions.ts';
import { recordReader } from '../../passages/records/record-stream.ts';
import { loadPdfjs } from './node-pdfjs.ts';
import { startNodeReader } from './node-readers.ts';

export * from './passages.ts';

export const readDocument: ReadDocument = documentReader(startNodeReader, (path) =>
  loadPdfjs(path),
);
export const readRecords: ReadRecords = recordReader(recordSessions(startNodeReader));
