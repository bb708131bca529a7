// Lines of a file or of standard input, with no more in memory than came at once and one line. A reader that takes
// its time makes the writer wait.
import { createReadStream } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { AmbryError, messageOf } from '../../errors.ts';
import { formatBytes } from './format.ts';
import { readable } from './input.ts';

/** Far beyond what a model reads of a text, and far below what memory holds. */
const kMostBytes = 64 * 2 ** 20;
const kLineFeed = 10;

export interface Line {
  /** From 1. */
  readonly number: number;
  /** Null for one that is too long to be held. */
  readonly bytes: Uint8Array | null;
}

/** The bytes of a file, or of standard input; an abort ends the wait for more. */
export async function byteInput(
  argument: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  if (argument === '-') return addAbortSignal(signal, process.stdin);
  await readable(argument);
  return createReadStream(argument, { signal });
}

/** The lines that come at once, and again those that come next: who sends one line and waits is answered. */
export async function* lineGroups(
  input: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly Line[]> {
  let number = 0;
  let parts: Uint8Array[] = [];
  let size = 0;
  const keep = (part: Uint8Array) => {
    size += part.length;
    if (size > kMostBytes) parts = [];
    else if (part.length > 0) parts.push(part);
  };
  const take = (): Line => {
    const bytes = size > kMostBytes ? null : Buffer.concat(parts);
    parts = [];
    size = 0;
    return { number: ++number, bytes };
  };
  for await (const chunk of input) {
    const lines: Line[] = [];
    let begin = 0;
    for (let end = chunk.indexOf(kLineFeed); end >= 0; end = chunk.indexOf(kLineFeed, begin)) {
      keep(chunk.subarray(begin, end));
      lines.push(take());
      begin = end + 1;
    }
    keep(chunk.subarray(begin));
    if (lines.length > 0) yield lines;
  }
  if (size > 0) yield [take()];
}

/** The text of a line without the white space around it. `BadValue` with the line's number for one that is not UTF-8,
 *  `LimitExceeded` for one that is too long. */
export function textOfLine({ number, bytes }: Line): string {
  if (bytes === null) {
    const message = `Line ${number} is longer than ${formatBytes(kMostBytes)}.`;
    throw new AmbryError('LimitExceeded', message, { path: placeOf(number) });
  }
  try {
    // A byte order mark at its beginning is left out.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
  } catch (cause) {
    throw badLine(number, 'is not UTF-8', cause);
  }
}

/** The object that a line of JSON Lines is. */
export function objectOfLine(number: number, text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw badLine(number, `is not JSON: ${messageOf(cause)}`, cause);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw badLine(number, 'is no JSON object');
}

/** The object's text of this name. */
export function textField(
  object: Readonly<Record<string, unknown>>,
  name: string,
  number: number,
): string {
  const text = object[name];
  if (typeof text === 'string') return text;
  throw badLine(number, `has no "${name}" that is a string`);
}

/** The object's own id, a string or a number, if it has one. */
export function idField(
  { id }: Readonly<Record<string, unknown>>,
  number: number,
): string | number | undefined {
  if (id === undefined || typeof id === 'string' || typeof id === 'number') return id;
  throw badLine(number, 'has an "id" that is neither a string nor a number');
}

function badLine(number: number, what: string, cause?: unknown): AmbryError {
  return new AmbryError('BadValue', `Line ${number} ${what}.`, { path: placeOf(number), cause });
}

export function placeOf(number: number): string {
  return `line ${number}`;
}
