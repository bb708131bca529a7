// Finds the pages whose name is the query: a title, a file, a heading, an identifier.
import { nameKey, wordsOfName } from '../../shared/names.ts';
import { bm25 } from '../../shared/postings.ts';
import {
  nameEntryKey,
  nameLanguage,
  postingsIn,
  type StoredEntry,
} from '../../shared/word-shard.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { nearestWord } from './near-words.ts';
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
/** A name that was corrected says less than one that was typed so. */
const nearShare = 0.7;

export async function searchNames(snapshot: Snapshot, query: string): Promise<NamedPages> {
  const key = nameKey(wordsOfName(query));
  const entry = key === undefined ? undefined : await entryOf(snapshot, nameEntryKey(key));
  return pagesWith(snapshot, entry ? [entry] : [], () => 1);
}

/** The pages with names that begin so. Short names come first. */
export async function searchBegunNames(snapshot: Snapshot, query: string): Promise<NamedPages> {
  const key = nameKey(wordsOfName(query));
  if (key === undefined) {
    return new Map();
  }
  const begin = nameEntryKey(key);
  const keys = await snapshot.wordKeys();
  const first = Math.max(0, shardOf(keys, begin));
  const shards = keys
    .slice(first, first + mostShards)
    .map(async (one, i) => (i === 0 || one.startsWith(begin) ? snapshot.wordShard(first + i) : []));
  const entries = (await Promise.all(shards)).flat().filter((one) => one.key.startsWith(begin));
  return pagesWith(snapshot, entries, (one) => begin.length / one.key.length);
}

/** The pages with the name that may have been meant, and the query with it. `unknown` is the word that no page has. */
export async function searchNearNames(
  snapshot: Snapshot,
  query: string,
  unknown: string,
): Promise<{ readonly names: NamedPages; readonly corrected: string } | undefined> {
  const key = nameKey(wordsOfName(query));
  const near = key === undefined ? undefined : await nearestWord(snapshot, nameLanguage, key);
  const entry = near && (await entryOf(snapshot, nameEntryKey(near.stem)));
  const [before = '', after = ''] = query
    .split(unknown)
    .map((part) => nameKey(wordsOfName(part)) ?? '');
  if (!entry || !near.stem.startsWith(before) || !near.stem.endsWith(after)) {
    return undefined;
  }
  const word = near.stem.slice(before.length, near.stem.length - after.length);
  const names = await pagesWith(snapshot, [entry], () => nearShare);
  return { names, corrected: query.replace(unknown, () => word) };
}

async function pagesWith(
  snapshot: Snapshot,
  entries: readonly StoredEntry[],
  shareOf: (entry: StoredEntry) => number,
): Promise<NamedPages> {
  const named = new Map<number, NamedPage>();
  const table = await snapshot.table();
  for (const entry of entries) {
    for (const { part, impact } of postingsIn(entry, snapshot.manifest.parts, entry.key)) {
      const page = table.pageOf(part);
      const weight = Math.min(1, impact / mostImpact) * shareOf(entry);
      if (weight > (named.get(page)?.weight ?? 0)) {
        named.set(page, { part, weight });
      }
    }
  }
  return named;
}
