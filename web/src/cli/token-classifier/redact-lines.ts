// `ambry redact --jsonl`: lines of JSON with other texts.
import { AmbryError } from '../../base/errors.ts';
import type { RedactOptions } from '../../entries/types.ts';
import type { TokenClassifier } from '../../index.ts';
import { decodeWhole, type Line, lineGroups, parseObject } from '../shared/read-lines.ts';
import { type JsonText, jsonTexts, withTexts } from './json-texts.ts';

/** Lines of a call, so that their texts fill the model's batches. */
const mostLines = 256;

interface ReadLine {
  readonly line: string;
  readonly places: readonly JsonText[];
}

/** Each line with its texts redacted. Fails at the end for a key that no line had: it may be misspelled. */
export async function* redactedLines(
  model: TokenClassifier,
  bytes: AsyncIterable<Uint8Array>,
  keys: readonly string[],
  options: RedactOptions,
): AsyncGenerator<readonly string[]> {
  const found = new Set<string>();
  let count = 0;
  for await (const lines of lineGroups(bytes)) {
    for (let at = 0; at < lines.length; at += mostLines) {
      yield* redactedGroup(model, lines.slice(at, at + mostLines), keys, found, options);
    }
    count += lines.length;
  }
  const missing = keys.find((key) => !found.has(key));
  if (missing !== undefined && count > 0) {
    const message = `No line has the key ${JSON.stringify(missing)}, so nothing was replaced in it.`;
    throw new AmbryError('NotFound', message, { path: '--jsonl' });
  }
}

/** An invalid line fails after the lines before it. */
async function* redactedGroup(
  model: TokenClassifier,
  lines: readonly Line[],
  keys: readonly string[],
  found: Set<string>,
  options: RedactOptions,
): AsyncGenerator<readonly string[]> {
  const read: ReadLine[] = [];
  let failure: unknown;
  for (const line of lines) {
    try {
      read.push(readLine(line, keys, found));
    } catch (error) {
      failure = error;
      break;
    }
  }
  const all = await model.redact(
    read.flatMap(({ places }) => places.map(({ text }) => text)),
    options,
  );
  let at = 0;
  yield read.map(({ line, places }) => {
    const own = all.slice(at, at + places.length);
    at += places.length;
    return `${withTexts(line, places, own)}\n`;
  });
  if (failure !== undefined) {
    throw failure;
  }
}

function readLine(bytes: Line, keys: readonly string[], found: Set<string>): ReadLine {
  const line = decodeWhole(bytes);
  if (line.trim() !== '') {
    parseObject(bytes.number, line);
  }
  return { line, places: jsonTexts(line, keys, found) };
}
