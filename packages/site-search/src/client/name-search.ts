// Finds the pages whose name is the query: a title, a file, a heading, an identifier.
import { nameKey, wordsOfName } from '../shared/names.ts';
import { bm25 } from '../shared/postings.ts';
import { nameEntryKey, postingsIn, type StoredEntry } from '../shared/word-shard.ts';
import type { Snapshot } from './snapshot.ts';
import { entryOf, shardOf } from './word-lookup.ts';

export interface NamedPage {
  /** The part with the name. */
  readonly part: number;
  /** From 0 to 1: a title says more than a file, and that more than a heading. */
  readonly weight: number;
}

/** By the number of the page. */
export type NamedPages = ReadonlyMap<number, NamedPage>;

const mostImpact = bm25.k + 2;

/** Names that begin as the query does are read from so many neighbouring files. */
const mostShards = 2;

/** The pages with this name, or while it `isOpen` with names that begin so. */
export async function searchNames(
  snapshot: Snapshot,
  query: string,
  isOpen = false,
): Promise<NamedPages> {
  const named = new Map<number, NamedPage>();
  const key = nameKey(wordsOfName(query));
  if (key === undefined) {
    return named;
  }
  const name = nameEntryKey(key);
  const exact = await entryOf(snapshot, name);
  const entries = exact ? [exact] : isOpen ? await entriesFrom(snapshot, name) : [];
  const table = await snapshot.table();
  for (const entry of entries) {
    for (const { part, impact } of postingsIn(entry, snapshot.manifest.parts, entry.key)) {
      const page = table.pageOf(part);
      const weight = (Math.min(1, impact / mostImpact) * name.length) / entry.key.length;
      if (weight > (named.get(page)?.weight ?? 0)) {
        named.set(page, { part, weight });
      }
    }
  }
  return named;
}

async function entriesFrom(snapshot: Snapshot, begin: string): Promise<StoredEntry[]> {
  const keys = await snapshot.wordKeys();
  const first = Math.max(0, shardOf(keys, begin));
  const shards = keys
    .slice(first, first + mostShards)
    .map(async (key, i) => (i === 0 || key.startsWith(begin) ? snapshot.wordShard(first + i) : []));
  return (await Promise.all(shards)).flat().filter(({ key }) => key.startsWith(begin));
}
