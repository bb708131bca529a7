// Entries for all words that begin with the same one to three letters, so that the first letters of a query are answered
// from one shard. They list the parts in which one of these words counts most.
import type { Posting } from '../shared/postings.ts';
import { encodeEntry, prefixKeyOf, prefixLengths, type StoredEntry } from '../shared/word-shard.ts';

const mostListed = 128;

interface OpenPrefix {
  readonly key: string;
  words: number;
  readonly impacts: Map<number, number>;
}

/** Takes the words in the order of their keys, so that one prefix of each length is open at a time. */
export class PrefixEntries {
  readonly #open: (OpenPrefix | undefined)[] = prefixLengths.map(() => undefined);
  readonly #done: StoredEntry[] = [];

  /** `rarity` is from 0 to 1. */
  add(key: string, rarity: number, postings: readonly Posting[]): void {
    const space = key.indexOf(' ');
    const letters = [...key.slice(space + 1)];
    prefixLengths.forEach((length, i) => {
      const prefix = letters.slice(0, length).join('');
      const name = prefixKeyOf(key.slice(0, space), prefix);
      let open = this.#open[i];
      if (letters.length < length || open?.key !== name) {
        this.#close(i);
      }
      if (letters.length < length) {
        return;
      }
      open = this.#open[i] ?? { key: name, words: 0, impacts: new Map() };
      this.#open[i] = open;
      open.words++;
      for (const { part, impact } of postings) {
        const counted = impact * rarity;
        if (counted > (open.impacts.get(part) ?? 0)) {
          open.impacts.set(part, counted);
        }
      }
    });
  }

  finish(): StoredEntry[] {
    prefixLengths.forEach((_, i) => {
      this.#close(i);
    });
    return this.#done;
  }

  /** One word alone needs no such entry. */
  #close(i: number): void {
    const open = this.#open[i];
    this.#open[i] = undefined;
    if (!open || open.words < 2) {
      return;
    }
    const best = [...open.impacts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, mostListed);
    const postings = best
      .map(([part, impact]) => ({ part, impact }))
      .sort((a, b) => a.part - b.part);
    this.#done.push(
      encodeEntry({ key: open.key, holders: open.impacts.size, forms: [], postings }),
    );
  }
}
