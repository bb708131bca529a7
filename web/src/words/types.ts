// Word vectors: lookups, nearest words, analogies.
import type { JobOptions } from '../rpc/types.ts';

/** How a word got its vector: it is one of the vocabulary, its pieces are, or it got none. */
export type WordFound = 'known' | 'subwords' | 'none';

/** Cosine of the angle between two vectors, or 1 − angle / π. */
export type WordMetric = 'cosine' | 'angular';

export interface WordsInfo {
  /** `simple` (words only), `bucket`, `fasttext`, `explicit` or `floret` (unknown words by their pieces). */
  readonly kind: string;
  readonly storage: 'array' | 'quantized';
  /** Words in the vocabulary; 0 for floret, which has pieces only. */
  readonly size: number;
  /** Numbers in a vector. */
  readonly dim: number;
  /** Rows of words and of pieces. */
  readonly rows: number;
  /** Whether the file keeps the lengths that vectors had. */
  readonly hasNorms: boolean;
}

/** The vectors of several words. */
export interface WordVectorBatch {
  /** `dim` numbers a word; zeros for one without a vector. */
  readonly vectors: Float32Array<ArrayBuffer>;
  /** Lengths before vectors got length 1; 1 where the file keeps none, 0 for words without a vector. */
  readonly norms: Float32Array<ArrayBuffer>;
  readonly found: readonly WordFound[];
}

/** Why a word has the vector that it has, or none. */
export interface WordExplanation {
  readonly word: string;
  readonly found: WordFound;
  /** Of a known word. */
  readonly row: number | null;
  readonly norm: number | null;
  /** The pieces of an unknown word, in the order in which their rows are added up. */
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
  /** Of the length that they had before they got length 1, where the file keeps it. */
  readonly unnormalized?: boolean;
  readonly signal?: AbortSignal;
}

export interface SimilarOptions {
  /** Number of words; 10 when absent. */
  readonly k?: number;
  readonly metric?: WordMetric;
  /** Words that are no answers. */
  readonly exclude?: readonly string[];
  readonly signal?: AbortSignal;
}

export interface AnalogyOptions {
  readonly k?: number;
  readonly metric?: WordMetric;
  /** Which of the three words may be answers; none when absent. */
  readonly include?: readonly ('a' | 'b' | 'c')[];
  readonly signal?: AbortSignal;
}

export interface AccuracyCounts {
  readonly correct: number;
  /** Questions that were asked. */
  readonly count: number;
  /** Questions whose answer is no word of the vocabulary. */
  readonly skipped: number;
  /** Of the right answers with the vectors that were asked for; null without questions. */
  readonly averageCosine: number | null;
}

export interface AccuracySection extends AccuracyCounts {
  readonly name: string;
}

export interface AccuracyReport {
  readonly sections: readonly AccuracySection[];
  readonly total: AccuracyCounts;
}

/**
 * The words of a model of word vectors.
 *
 * @example
 * const model = await open('vectors.fifu', { kind: 'words' });
 * const [nearest] = await model.words.similar('Berlin', { k: 1 });
 */
export interface Words extends WordsInfo {
  /** The vector of a word, known or by its pieces; null for a word that gets none. */
  vector(word: string, options?: WordVectorOptions): Promise<Float32Array | null>;
  vectors(words: readonly string[], options?: WordVectorOptions): Promise<WordVectorBatch>;
  explain(word: string, options?: { readonly signal?: AbortSignal }): Promise<WordExplanation>;
  /** The words nearest to a word or a vector, best first; equal scores by the words' bytes. `NotFound` with
   *  the path `word` for a word without a vector. */
  similar(query: string | Float32Array, options?: SimilarOptions): Promise<ScoredWord[]>;
  /** `a` is to `b` as `c` is to what? `NotFound` with the path `a`, `b` or `c` for one without a vector. */
  analogy(a: string, b: string, c: string, options?: AnalogyOptions): Promise<ScoredWord[]>;
  /** How many questions are answered right: lines `: section` and `a b c d`. */
  accuracy(questions: string, options?: JobOptions): Promise<AccuracyReport>;
  /** Words in the order of their rows, say for completion; the first 100 when nothing is said. */
  list(options?: { readonly offset?: number; readonly limit?: number }): Promise<string[]>;
}
