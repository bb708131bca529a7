// Reads a corpus as a stream: lines of JSON with `id` and `text`, or documents that are cut into passages.
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { AmbryError, messageOf } from './failure.ts';
import type { Passage } from './types.ts';

/** A passage of this length fills thousands of model inputs. Longer ones are a mistake in the corpus. */
const maxTextLength = 1_000_000;
/** A text has at most six characters for each of its own in JSON. */
const maxLineLength = 8 * maxTextLength;
/** In UTF-8. PostgreSQL has no longer keys in an index. */
const maxKeyBytes = 2000;
const lineTypes = new Set(['.jsonl', '.ndjson']);

/** Whether a file has a passage on each line. */
export const isLines = (path: string): boolean => lineTypes.has(extname(path).toLowerCase());

/** Yields the passages of these files in a fixed order. Memory holds one line or one document. */
export async function* readCorpus(paths: readonly string[]): AsyncGenerator<Passage> {
  for (const path of paths) {
    if (isLines(path)) {
      yield* readLines(path);
    } else {
      yield* readPassages(path);
    }
  }
}

async function* readLines(path: string): AsyncGenerator<Passage> {
  let number = 0;
  for await (const line of linesOf(path)) {
    number++;
    const trimmed = line.trim();
    if (trimmed !== '') {
      yield parseLine(trimmed, `${path}, line ${number}`);
    }
  }
}

async function* linesOf(path: string): AsyncGenerator<string> {
  let parts: string[] = [];
  let length = 0;
  try {
    for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
      const [first = '', ...more] = chunk.split('\n');
      parts.push(first);
      length += first.length;
      for (const next of more) {
        yield parts.join('');
        parts = [next];
        length = next.length;
      }
      if (length > maxLineLength) {
        throw tooLong(path);
      }
    }
  } catch (cause) {
    throw cause instanceof AmbryError ? cause : unreadable(path, cause);
  }
  yield parts.join('');
}

function tooLong(path: string): AmbryError {
  const message = `${path} has a line of more than ${maxLineLength} characters. Put each passage on a line of its own.`;
  return new AmbryError('LimitExceeded', message);
}

function parseLine(line: string, place: string): Passage {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new AmbryError('BadValue', `${place} is not JSON: ${messageOf(cause)}`, { cause });
  }
  const { id, text } = (value ?? {}) as Record<string, unknown>;
  if ((typeof id !== 'string' && typeof id !== 'number') || id === '') {
    throw new AmbryError('BadValue', `${place} needs an "id", a string or a number.`);
  }
  if (typeof text !== 'string') {
    throw new AmbryError('BadValue', `${place} needs a "text".`);
  }
  return checked({ key: String(id), text }, place);
}

async function* readPassages(path: string): AsyncGenerator<Passage> {
  const { readDocument } = await import('ambry/passages');
  const bytes = await readFile(path).catch((cause) => {
    throw unreadable(path, cause);
  });
  const { passages } = await readDocument(path, new Uint8Array(bytes));
  for (const { id, text } of passages) {
    yield checked({ key: String(id), text }, path);
  }
}

function checked(passage: Passage, place: string): Passage {
  if (passage.key.includes('\0') || !passage.key.isWellFormed()) {
    throw new AmbryError('BadValue', `${place} has an "id" with U+0000 or half a surrogate pair.`);
  }
  if (Buffer.byteLength(passage.key) > maxKeyBytes || passage.text.length > maxTextLength) {
    const message = `${place} is too long: an id has at most ${maxKeyBytes} bytes, a text ${maxTextLength} characters. Split it.`;
    throw new AmbryError('LimitExceeded', message);
  }
  return passage;
}

export function unreadable(path: string, cause: unknown): AmbryError {
  return new AmbryError('NotFound', `Cannot read ${path}: ${messageOf(cause)}`, { cause });
}
