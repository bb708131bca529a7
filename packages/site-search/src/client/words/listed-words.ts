// The words that the index has vectors for.
import { decodeWordRows, type WordRow } from '../../shared/word-rows.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { shardOf } from './word-lookup.ts';

/** Whether the word has a vector of its own. Without vectors of words, none has. */
export async function isListed(snapshot: Snapshot, word: string): Promise<boolean> {
  const { related } = snapshot.manifest.sets;
  return related !== undefined && (await longestRow(snapshot, word))?.word === word;
}

/** The longest listed word with which the word begins. */
export async function longestRow(snapshot: Snapshot, word: string): Promise<WordRow | undefined> {
  const i = shardOf(await snapshot.keysOf('related'), word);
  if (i < 0) {
    return undefined;
  }
  const bytes = await snapshot.shardBytes('related', i);
  const rows = decodeWordRows(bytes, snapshot.vectors.dim, `related ${i}`);
  return rows.findLast((row) => word.startsWith(row.word));
}
