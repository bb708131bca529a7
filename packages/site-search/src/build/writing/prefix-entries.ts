// Entries for all words that begin with the same one to three letters, so that the first letters of a query are answered
// from one shard. They list the parts in which one of these words counts most.
import type { Posting } from '../../shared/postings.ts';
import {
  encodeEntry,
  prefixKeyOf,
  prefixLengths,
  type StoredEntry,
} from '../../shared/word-shard.ts';

const mostListed = 128;

/** A prefix whose words are still added. */
interface OpenPrefix {
  key: string;
  words: number;
  /** What counts most in each part of the site; 0 where no word does. */
  readonly impacts: Float64Array;
  /** The parts in which a word counts. */
  parts: number[];
}

/** Takes the words in the order of their keys, so that one prefix of each length is open at a time. */
export class PrefixEntries {
  readonly #open: readonly OpenPrefix[];
  readonly #done: StoredEntry[] = [];

  constructor(partCount: number) {
    this.#open = prefixLengths.map(() => ({
      key: '',
      words: 0,
      impacts: new Float64Array(partCount),
      parts: [],
    }));
  }

  /** `rarity` is from 0 to 1. */
  add(key: string, rarity: number, postings: readonly Posting[]): void {
    const space = key.indexOf(' ');
    const letters = [...key.slice(space + 1)];
    prefixLengths.forEach((length, i) => {
      const open = this.#open[i] as OpenPrefix;
      const prefix = letters.slice(0, length).join('');
      const name = prefixKeyOf(key.slice(0, space), prefix);
      if (letters.length < length || open.key !== name) {
        this.#close(open);
      }
      if (letters.length >= length) {
        open.key = name;
        open.words++;
        count(open, rarity, postings);
      }
    });
  }

  finish(): StoredEntry[] {
    for (const open of this.#open) {
      this.#close(open);
    }
    return this.#done;
  }

  /** One word alone needs no such entry. */
  #close(open: OpenPrefix): void {
    const { key, words, impacts, parts } = open;
    if (words > 1) {
      const postings = best(impacts, parts)
        .sort((a, b) => a - b)
        .map((part) => ({ part, impact: impacts[part] as number }));
      this.#done.push(encodeEntry({ key, holders: parts.length, forms: [], postings }));
    }
    for (const part of parts) {
      impacts[part] = 0;
    }
    Object.assign(open, { key: '', words: 0, parts: [] });
  }
}

function count({ impacts, parts }: OpenPrefix, rarity: number, postings: readonly Posting[]): void {
  for (const { part, impact } of postings) {
    const counted = impact * rarity;
    const before = impacts[part] as number;
    if (counted > before) {
      if (before === 0) {
        parts.push(part);
      }
      impacts[part] = counted;
    }
  }
}

/** The parts with the highest impacts. Of equal ones, the first parts are taken. */
function best(impacts: Float64Array, parts: readonly number[]): number[] {
  if (parts.length <= mostListed) {
    return [...parts];
  }
  const sorted = Float64Array.from(parts, (part) => impacts[part] as number).sort();
  const least = sorted[sorted.length - mostListed] as number;
  const above = parts.filter((part) => (impacts[part] as number) > least);
  const equal = parts.filter((part) => impacts[part] === least).sort((a, b) => a - b);
  return [...above, ...equal.slice(0, mostListed - above.length)];
}
