// `ambry/passages` in Node: the same, with workers of Node.
import { startNodeReader } from './node-readers.ts';
import { documentReader } from './reading/read-document.ts';
import { recordSessions } from './reading/record-sessions.ts';
import { recordReader } from './records/record-stream.ts';
import type { ReadDocument, ReadRecords } from './types.ts';

export * from './passages.ts';

export const readDocument: ReadDocument = documentReader(startNodeReader);
export const readRecords: ReadRecords = recordReader(recordSessions(startNodeReader));
