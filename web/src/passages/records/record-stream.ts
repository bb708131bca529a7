// Streams JSON Lines. Only one line is in memory at a time.
import { AmbryError } from '../../errors.ts';
import type { StreamedRecord } from '../types.ts';
import { parseJsonLine } from './json-rows.ts';
import { toRecord } from './records.ts';

export interface RecordOptions {
  /** Called with the error of each line that is not a record. The line is then skipped. Without this function the
   *  error is thrown. */
  readonly onBadLine?: (error: AmbryError) => void;
  /** The name of the source in error messages. Default: `standard input`. */
  readonly name?: string;
}

const maxLineBytes = 1 << 26;
const lineFeed = 0x0a;

interface Line {
  readonly bytes: Uint8Array;
  readonly number: number;
  readonly byteOffset: number;
}

/**
 * Reads JSON Lines (UTF-8) from a stream, in constant memory. Blank lines are skipped.
 *
 * Throws an {@link AmbryError} whose `path` names the line: `BadValue` if the line is not JSON or not UTF-8, and
 * `LimitExceeded` if it is longer than 64 MB.
 *
 * @example
 * for await (const { id, text } of readRecords(file.stream())) …
 */
export async function* readRecords(
  stream: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
  { onBadLine, name = 'standard input' }: RecordOptions = {},
): AsyncGenerator<StreamedRecord> {
  for await (const line of linesIn(chunksOf(stream), name)) {
    const record = recordIn(line, name, onBadLine);
    if (record) yield record;
  }
}

function recordIn(
  line: Line,
  name: string,
  onBadLine: RecordOptions['onBadLine'],
): StreamedRecord | undefined {
  try {
    const text = textOf(line, name);
    if (text === '') return undefined;
    const offsetOf = (index: number) => line.byteOffset + utf8Length(text.slice(0, index));
    return { ...toRecord(parseJsonLine(text, name, line.number, offsetOf)), line: line.number };
  } catch (error) {
    if (!onBadLine || !(error instanceof AmbryError)) throw error;
    onBadLine(error);
    return undefined;
  }
}

async function* linesIn(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let length = 0;
  let byteOffset = 0;
  let number = 1;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const found = chunk.indexOf(lineFeed, at);
      const part = chunk.subarray(at, found < 0 ? chunk.length : found);
      at += part.length + 1;
      parts.push(part);
      length += part.length;
      if (length > maxLineBytes) throw tooLong(name, number, byteOffset);
      if (found < 0) continue;
      yield { bytes: joined(parts, length), number, byteOffset };
      byteOffset += length + 1;
      number++;
      parts = [];
      length = 0;
    }
  }
  if (length > 0) yield { bytes: joined(parts, length), number, byteOffset };
}

/** Some browsers cannot iterate over a stream. */
async function* chunksOf(
  stream: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (!('getReader' in stream)) {
    yield* stream;
    return;
  }
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = parts;
  if (only && parts.length === 1) return only;
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
