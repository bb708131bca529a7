// The worker's side of `readRecords`. Many sources may be read side by side, each in its session.
import { AmbryError, messageOf, toWire } from '../../base/errors.ts';
import { type RecordOrError, RecordParser } from '../records/record-parser.ts';
import type { FromReader, RecordsAnswer, RecordsRequest } from './protocol.ts';

/** Limits of one message. The caller's thread unpacks a message without a break. */
const maxRecords = 512;
const maxUnits = 1 << 18;

interface Session {
  readonly parser: RecordParser;
  /** The records of the bytes that came last. */
  records: Iterator<RecordOrError>;
}

export class RecordServer {
  readonly #post: (message: FromReader) => void;
  readonly #sessions = new Map<number, Session>();

  constructor(post: (message: FromReader) => void) {
    this.#post = post;
  }

  receive(request: RecordsRequest): void {
    const { id } = request;
    if ('close' in request) {
      this.#sessions.delete(id);
      return;
    }
    try {
      this.#post({ records: { id, ...this.#answer(request) } });
    } catch (error) {
      const fault =
        error instanceof AmbryError ? { problem: toWire(error) } : { fatal: messageOf(error) };
      this.#post({ records: { id, ...fault } });
    }
  }

  #answer(request: Exclude<RecordsRequest, { close: true }>): Omit<RecordsAnswer, 'id'> {
    if ('open' in request) {
      const parser = new RecordParser(request.open);
      this.#sessions.set(request.id, { parser, records: [].values() });
      return { found: [], isDone: true };
    }
    const session = this.#sessions.get(request.id);
    // A message that came after the end of its session.
    if (!session) {
      return { found: [], isDone: true };
    }
    if ('bytes' in request) {
      session.records = session.parser.push(request.bytes);
    }
    if ('finish' in request) {
      session.records = session.parser.finish();
    }
    return someOf(session.records);
  }
}

function someOf(records: Iterator<RecordOrError>): Omit<RecordsAnswer, 'id'> {
  const found: NonNullable<RecordsAnswer['found']>[number][] = [];
  let units = 0;
  while (found.length < maxRecords && units < maxUnits) {
    const { done, value } = records.next();
    if (done) {
      return { found, isDone: true };
    }
    if (value instanceof AmbryError) {
      found.push({ problem: toWire(value) });
    } else {
      found.push({ record: value });
      units += value.text.length;
    }
  }
  return { found, isDone: false };
}
