// Word vectors: lookups, nearest words, analogies.
import type { JobOptions } from '../rpc/types.ts';

/** How a word got its vector: the vocabulary has it, or it is the sum of its n-grams, or it has none. */
export type WordFound = 'known' | 'subwords' | 'none';

/** Cosine of the angle between two vectors, or 1 − angle / π. The first is the default. */
export const wordMetrics = ['cosine', 'angular'] as const;
export type WordMetric = (typeof wordMetrics)[number];

export interface WordsInfo {
  /** `simple` (words only), or `bucket`, `fasttext`, `explicit` or `floret` (n-grams give vectors of unknown words). */
  readonly kind: string;
  readonly storage: 'array' | 'quantized';
  /** The number of words; 0 for floret, which has only n-grams. */
  readonly size: number;
  /** The length of a vector. */
  readonly dim: number;
  /** The number of rows, of words and of n-grams. */
  readonly rows: number;
  /** Whether the file has the original lengths of the vectors. */
  readonly hasNorms: boolean;
}

/** The vectors of several words. */
export interface WordVectorBatch {
  /** `dim` values per word; zeros for a word without a vector. */
  readonly vectors: Float32Array<ArrayBuffer>;
  /** The original lengths of the vectors. 1 if the file does not have them, 0 for words without a vector. */
  readonly norms: Float32Array<ArrayBuffer>;
  readonly found: readonly WordFound[];
}

/** Explains how a word got its vector, or why it has none. */
export interface WordExplanation {
  readonly word: string;
  readonly found: WordFound;
  /** Null for an unknown word. */
  readonly row: number | null;
  readonly norm: number | null;
  /** The n-grams of an unknown word, in the order in which their rows are added. */
  readonly ngrams: readonly {
    readonly text: string;
    readonly rows: readonly number[];
    readonly known: boolean;
  }[];
  /** Why there is no vector; null if there is one. */
  readonly reason: string | null;
}

export interface ScoredWord {
  readonly word: string;
  readonly score: number;
}

export interface WordVectorOptions {
  /** Return vectors of their original length, if the file has it. */
  readonly unnormalized?: boolean;
  readonly signal?: AbortSignal;
}

/** `onProgress` reports the download of the vectors that the first such call reads of a model opened by range. */
export interface SimilarOptions extends JobOptions {
  /** Number of words; 10 when absent. */
  readonly k?: number;
  readonly metric?: WordMetric;
  /** Words that the result must not have. */
  readonly exclude?: readonly string[];
}

/** The defaults of options that are absent. */
export const similarDefaults = { k: 10 } as const satisfies SimilarOptions;

/** The names of an analogy's words: `a` is to `b` as `c` is to what? */
export const analogyWords = ['a', 'b', 'c'] as const;

export interface AnalogyOptions extends JobOptions {
  readonly k?: number;
  readonly metric?: WordMetric;
  /** Which of the three words may be answers; none when absent. */
  readonly include?: readonly (typeof analogyWords)[number][];
}

export interface AccuracyCounts {
  readonly correct: number;
  /** Questions that were answered. */
  readonly count: number;
  /** Questions with an answer that is not in the vocabulary. */
  readonly skipped: number;
  /** The mean cosine between the right answers and the computed vectors; null without questions. */
  readonly averageCosine: number | null;
}

export interface AccuracySection extends AccuracyCounts {
  readonly name: string;
}

export interface AccuracyReport {
  readonly sections: readonly AccuracySection[];
  readonly total: AccuracyCounts;
}
