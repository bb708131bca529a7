// Reads lines from a file or from standard input. Memory holds one chunk and one line, and reading waits for the
// caller.
import { createReadStream } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { AmbryError, isAbort, messageOf } from '../../base/errors.ts';
import { formatBytes } from './format.ts';
import { standardInput, statReadable, unreadable } from './input.ts';

/** No model reads a text as long as this, and memory can hold several. */
const maxLineBytes = 64 * 2 ** 20;
const lineFeed = 10;

export interface Line {
  /** Counts from 1. */
  readonly number: number;
  /** Null if the line is too long. */
  readonly bytes: Uint8Array | null;
}

/** Opens a file, or standard input for `-`. An abort ends the wait for more bytes. */
export async function openBytes(
  argument: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  if (argument !== '-') {
    await statReadable(argument);
  }
  const stream =
    argument === '-'
      ? addAbortSignal(signal, standardInput())
      : createReadStream(argument, { signal });
  return readableChunks(argument, stream);
}

async function* readableChunks(argument: string, stream: AsyncIterable<Uint8Array>) {
  try {
    yield* stream;
  } catch (error) {
    throw isAbort(error) ? error : unreadable(argument, error);
  }
}

/** Splits a stream into lines. A group holds the lines that end in one chunk, so that a writer that sends a line and
 *  waits gets its answer. */
export async function* lineGroups(
  input: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly Line[]> {
  let number = 0;
  let parts: Uint8Array[] = [];
  let size = 0;
  const addPart = (part: Uint8Array) => {
    size += part.length;
    if (size > maxLineBytes) {
      parts = [];
    } else if (part.length > 0) {
      parts.push(part);
    }
  };
  const takeLine = (): Line => {
    const bytes = size > maxLineBytes ? null : Buffer.concat(parts);
    parts = [];
    size = 0;
    return { number: ++number, bytes };
  };
  for await (const chunk of input) {
    const lines: Line[] = [];
    let begin = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, begin)) {
      addPart(chunk.subarray(begin, end));
      lines.push(takeLine());
      begin = end + 1;
    }
    addPart(chunk.subarray(begin));
    if (lines.length > 0) {
      yield lines;
    }
  }
  if (size > 0) {
    yield [takeLine()];
  }
}

/** Decodes a line and trims it. Throws `BadValue` with the line's number if the line is not UTF-8, and
 *  `LimitExceeded` if it is too long. */
export function decodeLine(line: Line): string {
  return decodeWhole(line).trim();
}

/** Decodes a line with the white space at its ends. */
export function decodeWhole({ number, bytes }: Line): string {
  if (bytes === null) {
    const message = `Line ${number} is longer than ${formatBytes(maxLineBytes)}. Split it.`;
    throw new AmbryError('LimitExceeded', message, { path: linePath(number) });
  }
  try {
    // The decoder drops a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw badLine(number, 'is not valid UTF-8', cause);
  }
}

/** Parses a line of JSON Lines. */
export function parseJson(number: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw badLine(number, `is not JSON: ${messageOf(cause)}`, cause);
  }
}

/** Parses a line of JSON Lines, which must be an object. */
export function parseObject(number: number, text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(number, text);
  if (isObject(value)) {
    return value;
  }
  throw badLine(number, 'is not a JSON object');
}

/** Whether a value of JSON is an object, and not a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface TextLine {
  readonly id: string | number;
  readonly text: string;
  /** All fields. */
  readonly object: Readonly<Record<string, unknown>>;
}

/** Returns the string in the field `name`. */
export function textField(
  object: Readonly<Record<string, unknown>>,
  name: string,
  number: number,
): string {
  const text = object[name];
  if (typeof text === 'string') {
    return text;
  }
  throw badLine(number, `needs a string in the field "${name}"`);
}

/** Returns the field `id`, a string or a number, if there is one. */
export function idField(
  { id }: Readonly<Record<string, unknown>>,
  number: number,
): string | number | undefined {
  if (id === undefined || typeof id === 'string' || typeof id === 'number') {
    return id;
  }
  throw badLine(number, 'has an "id" that is neither a string nor a number');
}

/** Parses a line of JSON Lines with a text. Without an `id` it has its number as one. */
export function parseTextLine(line: string, number: number): TextLine {
  const object = parseObject(number, line);
  const id = idField(object, number) ?? number;
  return { id, text: textField(object, 'text', number), object };
}

export function linePath(number: number): string {
  return `line ${number}`;
}

/** The error of a line. `problem` goes on after `Line 3`. */
export function badLine(number: number, problem: string, cause?: unknown): AmbryError {
  const message = `Line ${number} ${problem}.`;
  return new AmbryError('BadValue', message, { path: linePath(number), cause });
}
