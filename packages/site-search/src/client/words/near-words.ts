// Finds the word of the site that a reader may have meant, for a word that no page has.

import { editDistance } from 'ambry/terms';
import { keyOf, noStem, type StoredEntry } from '../../shared/word-shard.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { shardOf } from './word-lookup.ts';

/** Words of fewer letters have too many neighbours. */
const oneEditFrom = 5;
const twoEditsFrom = 9;
/** Files that are read at most. Errors in the first letters of a word are found where the words beside it are. */
const mostShards = 16;

export interface NearWord {
  readonly stem: string;
  /** The form that is nearest to what was typed. */
  readonly word: string;
  readonly distance: number;
  readonly holders: number;
}

/** Undefined if no word is near. `word` is in lower case and without accents. */
export async function nearestWord(
  snapshot: Snapshot,
  language: string,
  word: string,
  moreEdits = 0,
): Promise<NearWord | undefined> {
  const length = [...word].length;
  if (length < oneEditFrom || /\p{N}/u.test(word)) {
    return undefined;
  }
  const most = (length < twoEditsFrom ? 1 : 2) + moreEdits;
  const keys = await snapshot.wordKeys();
  let best: NearWord | undefined;
  const shards = shardsNear(keys, language, word).map((i) => snapshot.wordShard(i));
  for (const entries of await Promise.all(shards)) {
    for (const entry of entries) {
      const near = nearestForm(entry, keyOf(language, ''), word, most);
      if (near && (!best || isBetter(near, best))) {
        best = near;
      }
    }
  }
  return best;
}

const isBetter = (a: NearWord, b: NearWord): boolean =>
  a.distance < b.distance || (a.distance === b.distance && a.holders > b.holders);

function nearestForm(
  { key, forms, holders }: StoredEntry,
  begin: string,
  word: string,
  most: number,
): NearWord | undefined {
  if (!key.startsWith(begin) || key.endsWith('*')) {
    return undefined;
  }
  const stem = key.slice(begin.length);
  let best: NearWord | undefined;
  for (const form of forms[0] === noStem ? forms.slice(1) : [stem, ...forms]) {
    const distance = editDistance(word, form, most);
    if (distance <= most && (!best || distance < best.distance)) {
      best = { stem, word: form, distance, holders };
    }
  }
  return best;
}

/** The shards of the words with the same first letters, with the first ones exchanged, and then of those whose second letter is
 *  another one. */
function shardsNear(keys: readonly string[], language: string, word: string): number[] {
  const [first = '', second = '', ...rest] = word;
  const starts = [first + second, second + first, first + (rest[0] ?? ''), first];
  const found = new Set<number>();
  for (const start of starts) {
    const [low, high] = rangeOf(keys, keyOf(language, start));
    const near = Math.max(low, Math.min(high, shardOf(keys, keyOf(language, word))));
    for (let step = 0; step <= high - low && found.size < mostShards; step++) {
      for (const i of [near - step, near + step]) {
        if (i >= low && i <= high && found.size < mostShards) {
          found.add(i);
        }
      }
    }
  }
  return [...found];
}

/** The first and the last shard with keys that begin so. */
function rangeOf(keys: readonly string[], begin: string): [number, number] {
  const low = Math.max(0, shardOf(keys, begin));
  return [low, Math.max(low, shardOf(keys, `${begin}\u{10ffff}`))];
}
