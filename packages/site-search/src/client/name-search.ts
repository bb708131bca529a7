// Finds the pages whose name is the query: a title, a file, a heading, an identifier.
import { nameKey, wordsOfName } from '../shared/names.ts';
import { bm25 } from '../shared/postings.ts';
import { nameEntryKey, postingsIn } from '../shared/word-shard.ts';
import type { Snapshot } from './snapshot.ts';
import { entryOf } from './word-lookup.ts';

export interface NamedPage {
  /** The part with the name. */
  readonly part: number;
  /** From 0 to 1: a title says more than a file, and that more than a heading. */
  readonly weight: number;
}

/** By the number of the page. */
export type NamedPages = ReadonlyMap<number, NamedPage>;

const mostImpact = bm25.k + 2;

export async function searchNames(snapshot: Snapshot, query: string): Promise<NamedPages> {
  const named = new Map<number, NamedPage>();
  const key = nameKey(wordsOfName(query));
  const entry = key === undefined ? undefined : await entryOf(snapshot, nameEntryKey(key));
  if (!entry) {
    return named;
  }
  const table = await snapshot.table();
  for (const { part, impact } of postingsIn(entry, snapshot.manifest.parts, entry.key)) {
    const page = table.pageOf(part);
    const weight = Math.min(1, impact / mostImpact);
    if (weight > (named.get(page)?.weight ?? 0)) {
      named.set(page, { part, weight });
    }
  }
  return named;
}
