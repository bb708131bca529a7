// Splits bytes into lines, and reads each line as a record of JSON. Only one line is in memory at a time.
import { AmbryError } from '../../base/errors.ts';
import type { StreamedRecord } from '../base/types.ts';
import { parseJsonLine } from './json-rows.ts';
import { toRecord } from './records.ts';

const maxLineBytes = 1 << 26;
const lineFeed = 0x0a;

interface Line {
  readonly bytes: Uint8Array;
  readonly number: number;
  readonly byteOffset: number;
}

/** A line that is not a record gives its error, and the lines after it may be read. */
export type RecordOrError = StreamedRecord | AmbryError;

export class RecordParser {
  readonly #name: string;
  #parts: Uint8Array[] = [];
  #length = 0;
  #byteOffset = 0;
  #number = 1;

  /** `name` is that of the source in error messages. */
  constructor(name: string) {
    this.#name = name;
  }

  /** Takes the next bytes of the source, and gives the records that end in them. */
  *push(chunk: Uint8Array): Generator<RecordOrError> {
    for (let at = 0; at < chunk.length; ) {
      const found = chunk.indexOf(lineFeed, at);
      const part = chunk.subarray(at, found < 0 ? chunk.length : found);
      at += part.length + 1;
      this.#parts.push(part);
      this.#length += part.length;
      if (this.#length > maxLineBytes) {
        throw tooLong(this.#name, this.#number, this.#byteOffset);
      }
      if (found < 0) {
        continue;
      }
      const record = recordIn(this.#takeLine(), this.#name);
      if (record) {
        yield record;
      }
    }
  }

  /** Gives the last record if no line feed follows it. */
  *finish(): Generator<RecordOrError> {
    const record = this.#length > 0 ? recordIn(this.#takeLine(), this.#name) : undefined;
    if (record) {
      yield record;
    }
  }

  #takeLine(): Line {
    const bytes = joined(this.#parts, this.#length);
    const line = { bytes, number: this.#number, byteOffset: this.#byteOffset };
    this.#byteOffset += this.#length + 1;
    this.#number++;
    this.#parts = [];
    this.#length = 0;
    return line;
  }
}

function recordIn(line: Line, name: string): RecordOrError | undefined {
  try {
    const text = textOf(line, name);
    if (text === '') {
      return undefined;
    }
    const offsetOf = (index: number) => line.byteOffset + utf8Length(text.slice(0, index));
    return { ...toRecord(parseJsonLine(text, name, line.number, offsetOf)), line: line.number };
  } catch (error) {
    if (error instanceof AmbryError) {
      return error;
    }
    throw error;
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = parts;
  if (only && parts.length === 1) {
    return only;
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Decodes a line. The decoder drops a byte order mark. */
function textOf({ bytes, number, byteOffset }: Line, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).trimEnd();
  } catch {
    const message = `${name}, line ${number}, is not valid UTF-8. Save the file as UTF-8.`;
    throw new AmbryError('BadValue', message, { byteOffset, path: `line ${number}` });
  }
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

function tooLong(name: string, number: number, byteOffset: number): AmbryError {
  const message = `${name}, line ${number}, is longer than 64 MB. Split the record.`;
  return new AmbryError('LimitExceeded', message, { byteOffset, path: `line ${number}` });
}
