// Texts of arguments and lines of any number, group by group.

import { noTextGiven } from './input.ts';
import { decodeWhole, lineGroups, openBytes } from './read-lines.ts';
import type { Terminal } from './terminal.ts';

/** Lines of a group. Texts of different lengths then fill the model's batches. */
const mostLines = 256;

interface TextValues {
  readonly text?: readonly string[] | undefined;
  readonly file?: string | undefined;
}

/** The texts of the arguments, then the lines of `--file`; without both, those of standard input. A file is opened at once, and
 *  read as its lines are needed. */
export async function textGroups(
  { text = [], file }: TextValues,
  { signal }: Terminal,
): Promise<AsyncIterable<readonly string[]>> {
  const reads = file ?? (text.length > 0 ? undefined : '-');
  if (file === undefined && reads === '-' && process.stdin.isTTY) {
    throw noTextGiven();
  }
  const bytes = reads === undefined ? undefined : await openBytes(reads, signal);
  return groupsOf(text, bytes, file === undefined);
}

async function* groupsOf(
  texts: readonly string[],
  bytes: AsyncIterable<Uint8Array> | undefined,
  needsOne: boolean,
): AsyncGenerator<readonly string[]> {
  let count = texts.length;
  if (count > 0) {
    yield texts;
  }
  for await (const lines of bytes ? lineGroups(bytes) : []) {
    count += lines.length;
    for (let at = 0; at < lines.length; at += mostLines) {
      yield lines.slice(at, at + mostLines).map((line) => decodeWhole(line).replace(/\r$/, ''));
    }
  }
  if (count === 0 && needsOne) {
    throw noTextGiven();
  }
}
