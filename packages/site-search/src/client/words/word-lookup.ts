// Finds the entries of a query's word in the shards that may have them.

import { rarityOf } from '../../shared/postings.ts';
import {
  hasForm,
  keyOf,
  noStem,
  postingsIn,
  prefixKeyOf,
  prefixLengths,
  type StoredEntry,
} from '../../shared/word-shard.ts';
import type { Snapshot } from '../files/snapshot.ts';
import type { QueryTerm } from './query.ts';

/** Words that begin with the letters of an incomplete word count less than that word. */
const prefixShare = 0.7;
/** So many of the words that begin with the letters are read, the most frequent ones. */
const mostWords = 24;
/** Shards that are read for them. */
const mostShards = 3;
/** Letters of endings that a stem is without, as in Italian `semplif` of `semplificazione`. */
const mostEnding = 9;
/** Letters at the end of a stem that may be others than those that were typed: `reliabl` of `reliability`. */
const otherLetters = 2;

/** What a word of the query counts in each part. */
export interface TermScores {
  readonly stem: string;
  readonly rarity: number;
  /** How many parts have the word. */
  readonly holders: number;
  /** Whether a part has the word as it was typed so far. */
  readonly isWhole: boolean;
  readonly scores: ReadonlyMap<number, number>;
}

/** Undefined if no part has the word. */
export async function lookUp(
  snapshot: Snapshot,
  language: string,
  { stem, prefix }: Pick<QueryTerm, 'stem' | 'prefix'>,
): Promise<TermScores | undefined> {
  const inLanguage = snapshot.manifest.words.parts[language] ?? 0;
  const most = rarityOf(1, inLanguage);
  const scores = new Map<number, number>();
  const raise = (entry: StoredEntry, factor: number, limit = Number.POSITIVE_INFINITY) => {
    for (const { part, impact } of postingsIn(entry, snapshot.manifest.parts, entry.key)) {
      scores.set(part, Math.max(scores.get(part) ?? 0, Math.min(limit, impact * factor)));
    }
  };
  const exact = await entryOf(snapshot, keyOf(language, stem));
  const rarity = exact ? rarityOf(exact.holders, inLanguage) : most;
  if (exact) {
    raise(exact, rarity);
  }
  const isWhole = exact !== undefined && hasForm(exact, prefix ?? stem);
  // A longer word never counts more than the word itself, however rare it is and however often a page has it.
  const limit = isWhole ? Math.min(...scores.values()) : undefined;
  if (prefix !== undefined) {
    for (const entry of await entriesBelow(snapshot, language, prefix, stem === noStem)) {
      const isAll = entry.key.endsWith('*');
      const own = isAll ? most : rarityOf(entry.holders, inLanguage);
      if (entry !== exact) {
        raise(entry, Math.min(own, rarity) * prefixShare, limit);
      }
    }
  }
  if (scores.size === 0) {
    return undefined;
  }
  return { stem, rarity, holders: exact?.holders ?? scores.size, isWhole, scores };
}

/** Undefined if no shard has the key. */
export async function entryOf(snapshot: Snapshot, key: string): Promise<StoredEntry | undefined> {
  const i = shardOf(await snapshot.wordKeys(), key);
  return i < 0 ? undefined : (await snapshot.wordShard(i)).find((entry) => entry.key === key);
}

/** The entries of words that begin with these letters: one for all of them if the letters are few. */
async function entriesBelow(
  snapshot: Snapshot,
  language: string,
  prefix: string,
  isOnlyBegin: boolean,
): Promise<StoredEntry[]> {
  if ([...prefix].length <= prefixLengths.length) {
    const all = await entryOf(snapshot, prefixKeyOf(language, prefix));
    if (all) {
      return [all];
    }
  }
  const key = keyOf(language, prefix);
  const keys = await snapshot.wordKeys();
  const shards = shardsWith(keys, language, prefix).map((i) => snapshot.wordShard(i));
  const found = (await Promise.all(shards))
    .flat()
    .filter((entry) => beginsSo(entry, key) && (!isOnlyBegin || isLonger(entry, prefix)));
  return found.sort((a, b) => b.holders - a.holders).slice(0, mostWords);
}

/** Whether the word has a form with more letters. */
const isLonger = ({ key, forms }: StoredEntry, prefix: string): boolean =>
  [key.slice(key.indexOf(' ') + 1), ...forms].some(
    (form) => form.startsWith(prefix) && form !== prefix,
  );

/** The shards that may have words with a form that begins so. A stem may end before what was typed, or in other letters. */
function shardsWith(keys: readonly string[], language: string, prefix: string): number[] {
  const letters = [...prefix];
  const least = Math.min(
    letters.length,
    Math.max(prefixLengths.length, letters.length - mostEnding),
  );
  const found = new Set<number>();
  for (let length = letters.length; length >= least && found.size < mostShards; length--) {
    const i = Math.max(0, shardOf(keys, keyOf(language, letters.slice(0, length).join(''))));
    found.add(i);
    const next = keyOf(
      language,
      letters.slice(0, Math.max(least, letters.length - otherLetters)).join(''),
    );
    if (length === letters.length && keys[i + 1]?.startsWith(next)) {
      found.add(i + 1);
    }
  }
  return [...found].sort((a, b) => a - b);
}

/** Whether a form of the word begins so. The stem may be shorter than what was typed. */
function beginsSo({ key, forms }: StoredEntry, begin: string): boolean {
  if (key.endsWith('*')) {
    return false;
  }
  const space = begin.indexOf(' ');
  if (!key.startsWith(begin.slice(0, space + 1))) {
    return false;
  }
  const letters = begin.slice(space + 1);
  return key.startsWith(begin) || forms.some((form) => form.startsWith(letters));
}

/** The shard that has the key, if any has; −1 if the key is below all of them. */
export function shardOf(first: readonly string[], key: string): number {
  let low = -1;
  let high = first.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((first[middle] as string) <= key) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}
