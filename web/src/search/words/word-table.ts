// Which passages have which words, for the words of one language: an inverted index with the scores of BM25.

/** How a score grows with the number of a word's places in a passage (k), and falls with the passage's length (b). */
export const bm25 = { k: 1.2, b: 0.75 } as const;

/** How much it says that a passage has a word: more if few of the passages have it. */
export const rarityOf = (holders: number, size: number): number =>
  Math.log(1 + (size - holders + 0.5) / (holders + 0.5));

/** What a function word counts beside another word that is as frequent. */
const lightShare = 0.4;

/** What the table has of a word. */
export interface TableEntry {
  /** The word as it is written, in plain letters. What all of them have in common is the stem. */
  readonly forms: Set<string>;
  /** In the order in which the passages were added. */
  readonly ids: number[];
  readonly counts: number[];
}

/** A word of a passage. `count` is less than 1 for a word inside of another one. */
export interface PlacedWord {
  readonly stem: string;
  readonly form: string;
  readonly count: number;
}

/** A word of a query: a passage has it if it has any of these stems. */
export interface WantedWord {
  /** As it was typed. */
  readonly word: string;
  /** How much each stem counts beside the word itself. */
  readonly stems: ReadonlyMap<string, number>;
  /** A function word beside other words finds no passage: it counts where these are. */
  readonly isLight?: boolean;
}

export interface Found {
  readonly id: number;
  /** The BM25 score. */
  readonly score: number;
  /** The wanted words that the passage has. */
  readonly words: readonly string[];
}

export interface TableAnswer {
  readonly found: Found[];
  /** The sum of how much the wanted words say. A passage that has each of them once has about this score. */
  readonly whole: number;
}

export class WordTable {
  readonly #entries = new Map<string, TableEntry>();
  readonly #lengths = new Map<number, number>();
  #length = 0;

  get size(): number {
    return this.#lengths.size;
  }

  get entries(): ReadonlyMap<string, TableEntry> {
    return this.#entries;
  }

  /** How many words each passage has, by its number. */
  get lengths(): ReadonlyMap<number, number> {
    return this.#lengths;
  }

  /** `length` is the number of the passage's words. */
  add(id: number, length: number, words: Iterable<PlacedWord>): void {
    this.#setLength(id, length);
    for (const { stem, form, count } of words) {
      const entry = this.#entryOf(stem);
      entry.forms.add(form);
      const last = entry.ids.length - 1;
      if (entry.ids[last] === id) {
        entry.counts[last] = (entry.counts[last] as number) + count;
      } else {
        entry.ids.push(id);
        entry.counts.push(count);
      }
    }
  }

  /** Puts back what another table had. */
  restore(lengths: Iterable<readonly [number, number]>, words: Map<string, TableEntry>): void {
    for (const [id, length] of lengths) {
      this.#setLength(id, length);
    }
    for (const [stem, entry] of words) {
      this.#entries.set(stem, entry);
    }
  }

  remove(ids: readonly number[]): void {
    const gone = new Set(ids);
    for (const id of gone) {
      this.#length -= this.#lengths.get(id) ?? 0;
      this.#lengths.delete(id);
    }
    for (const [stem, { forms, ids: before, counts }] of gone.size > 0 ? this.#entries : []) {
      const kept = before.flatMap((id, i) => (gone.has(id) ? [] : [i]));
      if (kept.length === 0) {
        this.#entries.delete(stem);
      } else if (kept.length < before.length) {
        this.#entries.set(stem, {
          forms,
          ids: kept.map((i) => before[i] as number),
          counts: kept.map((i) => counts[i] as number),
        });
      }
    }
  }

  /** The passages that have each of the stems. */
  idsWithAll(stems: readonly string[]): number[] {
    const [first = [], ...others] = stems.map((stem) => this.#entries.get(stem)?.ids ?? []);
    const sets = others.map((ids) => new Set(ids));
    return first.filter((id) => sets.every((ids) => ids.has(id)));
  }

  /** The passages that have wanted words, in no order. */
  find(wanted: readonly WantedWord[]): TableAnswer {
    const scores = new Map<number, { score: number; words: string[] }>();
    let whole = 0;
    for (const { word, stems } of wanted.filter(({ isLight }) => !isLight)) {
      const held = this.#scoresOf(stems);
      whole += rarityOf(held.size, this.size);
      for (const [id, score] of held) {
        const known = scores.get(id) ?? { score: 0, words: [] };
        known.score += score;
        known.words.push(word);
        scores.set(id, known);
      }
    }
    for (const { stems } of wanted.filter(({ isLight }) => isLight)) {
      for (const [id, score] of this.#scoresOf(stems)) {
        const known = scores.get(id);
        if (known) {
          known.score += lightShare * score;
        }
      }
    }
    return { found: [...scores].map(([id, one]) => ({ id, ...one })), whole };
  }

  /** What a word with these stems counts in each passage that has one of them. */
  #scoresOf(stems: ReadonlyMap<string, number>): Map<number, number> {
    const mean = this.#length / this.size || 1;
    const scores = new Map<number, number>();
    for (const [stem, share] of stems) {
      const { ids = [], counts = [] } = this.#entries.get(stem) ?? {};
      const rarity = share * rarityOf(ids.length, this.size);
      for (const [i, id] of ids.entries()) {
        const count = counts[i] as number;
        const length = (this.#lengths.get(id) ?? mean) / mean;
        const damping = bm25.k * (1 - bm25.b + bm25.b * length);
        const score = (rarity * count * (bm25.k + 1)) / (count + damping);
        scores.set(id, Math.max(scores.get(id) ?? 0, score));
      }
    }
    return scores;
  }

  #setLength(id: number, length: number): void {
    this.#lengths.set(id, length);
    this.#length += length;
  }

  #entryOf(stem: string): TableEntry {
    const known = this.#entries.get(stem);
    if (known) {
      return known;
    }
    const made: TableEntry = { forms: new Set(), ids: [], counts: [] };
    this.#entries.set(stem, made);
    return made;
  }
}
