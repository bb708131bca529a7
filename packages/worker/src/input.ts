// Reads a corpus as a stream: lines of JSON with `id` and `text`, or documents that are cut into passages.
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { AmbryError, messageOf } from './ambry-errors.ts';
import type { Passage } from './types.ts';

/** A passage of this length fills thousands of model inputs. Longer ones are a mistake in the corpus. */
const maxTextLength = 1_000_000;
const maxKeyLength = 1000;
const lineTypes = new Set(['.jsonl', '.ndjson']);

/** Yields the passages of these files in a fixed order. Memory holds one line or one document. */
export async function* readCorpus(paths: readonly string[]): AsyncGenerator<Passage> {
  for (const path of paths) {
    if (lineTypes.has(extname(path).toLowerCase())) yield* readLines(path);
    else yield* readPassages(path);
  }
}

async function* readLines(path: string): AsyncGenerator<Passage> {
  const input = createReadStream(path);
  const failed = new Promise<never>((_, reject) => {
    input.once('error', (cause) => reject(unreadable(path, cause)));
  });
  failed.catch(() => {});
  await Promise.race([failed, new Promise((resolve) => input.once('open', resolve))]);
  let number = 0;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    if (line.trim() !== '') yield parseLine(line, `${path}, line ${number}`);
  }
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
  if (typeof text !== 'string') throw new AmbryError('BadValue', `${place} needs a "text".`);
  return checked({ key: String(id), text }, place);
}

async function* readPassages(path: string): AsyncGenerator<Passage> {
  const { readDocument } = await import('ambry/passages');
  const bytes = await readFile(path).catch((cause) => {
    throw unreadable(path, cause);
  });
  const { passages } = await readDocument(path, new Uint8Array(bytes));
  for (const { id, text } of passages) yield checked({ key: String(id), text }, path);
}

function checked(passage: Passage, place: string): Passage {
  if (passage.key.includes('\0') || !passage.key.isWellFormed()) {
    throw new AmbryError('BadValue', `${place} has an "id" with U+0000 or half a surrogate pair.`);
  }
  if (passage.key.length > maxKeyLength || passage.text.length > maxTextLength) {
    const message = `${place} is too long: an id has at most ${maxKeyLength} characters, a text ${maxTextLength}. Split it.`;
    throw new AmbryError('LimitExceeded', message);
  }
  return passage;
}

function unreadable(path: string, cause: unknown): AmbryError {
  return new AmbryError('NotFound', `Cannot read ${path}: ${messageOf(cause)}`, { cause });
}
