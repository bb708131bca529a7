// How well passages match a question word by word: for models of word vectors. The cosine of two texts says little with them, as the
// mean of many words points nearly the same way in all passages. Works without a page.

import { isFunctionWord, normalizeWord, wordRanges } from './matched-words.ts';

/** A vector for each word. */
type EmbedWords = (words: readonly string[]) => Promise<readonly Float32Array[]>;

/** Words that a passage can have, so that one of many pages does not hold up the answer. */
const mostWords = 400;
/** The vectors are forgotten when there are more. */
const mostKept = 10_000;
/** A word that this part of the passages have says nothing, such as “und” where they are German. */
const commonFrom = 0.5;
/** Among fewer passages a word is common by chance. */
const fewestForCommon = 10;

const wordsIn = (text: string): Set<string> =>
  new Set(wordRanges(text.toLowerCase()).map(({ word }) => word));

/** In place. The vector of an unknown word stays zero, which is like no other. */
function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return length === 0 ? vector : vector.map((value) => value / length);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) {
    sum += (a[i] as number) * (b[i] as number);
  }
  return sum;
}

export class WordMatch {
  readonly #embed: EmbedWords;
  readonly #vectors = new Map<string, Float32Array>();
  /** What all vectors have in common. It is taken from each of them. */
  #mean: Float32Array | null = null;
  #common: ReadonlySet<string> = new Set();

  constructor(embed: EmbedWords) {
    this.#embed = embed;
  }

  /** Learns from passages of the index what their words have in common. */
  async learn(texts: readonly string[]): Promise<void> {
    const all = [...new Set(texts)].map((text) => this.#wordsOf(text));
    await this.#load(all.flat());
    const counts = new Map<string, number>();
    for (const word of all.flat()) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    this.#common = new Set(
      [...counts]
        .filter(([, count]) => all.length >= fewestForCommon && count >= commonFrom * all.length)
        .map(([word]) => word),
    );
    this.#mean = this.#meanOf(counts);
    // From now on without the mean.
    this.#vectors.clear();
  }

  /** From 0 to 1 for each text: the mean over the question's words of how near the nearest word of the text is. */
  async scores(question: string, texts: readonly string[]): Promise<readonly number[]> {
    if (this.#vectors.size > mostKept) {
      this.#vectors.clear();
    }
    const asked = this.#contentOf(question);
    // A question of nothing but function words looks for these.
    const keepsAll = asked.some(isFunctionWord);
    const found = texts.map((text) => this.#wordsOf(text, keepsAll));
    await this.#load([...asked, ...found.flat()]);
    return found.map((words) => {
      const sum = asked.reduce((total, word) => total + this.#nearest(word, words) ** 2, 0);
      return asked.length === 0 ? 0 : sum / asked.length;
    });
  }

  /** Without function words, unless it keeps all. */
  #wordsOf(text: string, keepsAll = false): readonly string[] {
    return [...wordsIn(text)]
      .filter((word) => keepsAll || !isFunctionWord(word))
      .slice(0, mostWords);
  }

  /** A question without other words is asked by its common ones. */
  #contentOf(question: string): readonly string[] {
    const words = this.#wordsOf(question);
    const rare = words.filter((word) => !this.#common.has(word));
    return [rare, words, [...wordsIn(question)]].find((list) => list.length > 0) ?? [];
  }

  /** The cosine of the nearest word; 1 for the word itself in any form. */
  #nearest(word: string, words: readonly string[]): number {
    const form = normalizeWord(word);
    if (words.some((other) => normalizeWord(other) === form)) {
      return 1;
    }
    const vector = this.#vectorOf(word);
    return words.reduce((best, other) => Math.max(best, dot(vector, this.#vectorOf(other))), 0);
  }

  #vectorOf(word: string): Float32Array {
    return this.#vectors.get(word) ?? new Float32Array();
  }

  async #load(words: readonly string[]): Promise<void> {
    const unknown = [...new Set(words)].filter((word) => !this.#vectors.has(word));
    if (unknown.length === 0) {
      return;
    }
    const rows = await this.#embed(unknown);
    unknown.forEach((word, i) => {
      const vector = unit(rows[i] as Float32Array);
      const mean = this.#mean;
      const isKnown = vector.some((value) => value !== 0);
      this.#vectors.set(
        word,
        mean !== null && isKnown
          ? unit(vector.map((value, at) => value - (mean[at] as number)))
          : vector,
      );
    });
  }

  #meanOf(counts: ReadonlyMap<string, number>): Float32Array | null {
    let mean: Float32Array | null = null;
    let total = 0;
    for (const [word, count] of counts) {
      const vector = this.#vectorOf(word);
      mean ??= new Float32Array(vector.length);
      for (let i = 0; i < vector.length; i += 1) {
        mean[i] = (mean[i] as number) + count * (vector[i] as number);
      }
      total += count;
    }
    return mean?.map((value) => value / total) ?? null;
  }
}
