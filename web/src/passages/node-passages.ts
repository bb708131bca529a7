// `ambry/passages` in Node: the same, with workers of Node.

import type { ReadDocument, ReadRecords } from './base/types.ts';
import { startNodeReader } from './node-readers.ts';
import { documentReader } from './reading/read-document.ts';
import { recordSessions } from './reading/record-sessions.ts';
import { recordReader } from './records/record-stream.ts';

export * from './passages.ts';

export const readDocument: ReadDocument = documentReader(startNodeReader);
export const readRecords: ReadRecords = recordReader(recordSessions(startNodeReader));
