// Search by meaning.
import type { JobOptions } from '../rpc/types.ts';
import type { RuntimeOptions } from '../runtime/types.ts';

/** A passage to index: its text, and anything that should come back with a hit. */
export interface Doc {
  readonly id?: string | number;
  readonly text: string;
  readonly [field: string]: unknown;
}

export interface SearchHit {
  /** The passage's own id, or its place in the index. */
  readonly id: string | number;
  /** What hits are sorted by: the cosine, or with `hybrid` meaning and words weighed together. */
  readonly score: number;
  /** Cosine similarity, −1 to 1. */
  readonly cosine: number;
  /** With `hybrid`, the words of the query that are in the passage. */
  readonly terms?: readonly string[];
  readonly text: string;
  readonly doc: Doc;
}

export interface SearchOptions {
  /** Number of hits; 10 when absent. */
  readonly k?: number;
  /** Text put before the query, or the name of one of the model's prompts. */
  readonly prompt?: string;
  /**
   * Ranks by meaning and by words: cosine similarity and BM25. True, or the weight of the words from 0 to 1;
   * 0.5 when true. The first such search loads the code and indexes the words.
   */
  readonly hybrid?: boolean | number;
  /** Finds only passages for which this holds. */
  readonly filter?: (doc: Doc) => boolean;
  readonly signal?: AbortSignal;
}

/** How an index keeps its vectors: bytes with a scale each, or floats that take four times the room. */
export type VectorStorage = 'int8' | 'f32';

/** How passages are embedded for an index. */
export interface IndexingOptions extends JobOptions {
  /** How many workers embed side by side; 1 when absent. Each but the first holds a copy of the model, and
   *  gives its memory back some seconds after the last text. Word vectors take one. */
  readonly workers?: number;
  /**
   * A name under which vectors are kept as they come, so that an indexing that was cut off goes on where it
   * was: a text that was embedded before, under this name, by this model and with this prompt, is not
   * embedded again. Other vectors of that name are replaced. In a browser they lie in the private files of
   * the page's origin; in Node in the user's cache directory, or in the file `path`. What stands in the way of
   * keeping is told in `progress.note`, and the indexing goes on without.
   */
  readonly keep?: string | { readonly path: string };
}

export interface IndexOptions extends IndexingOptions, RuntimeOptions {
  /** Text put before each passage, or the name of one of the model's prompts. */
  readonly prompt?: string;
  /** int8 when absent. */
  readonly vectors?: VectorStorage;
}

/** Vectors that the option `keep` has kept in this browser, or in the user's cache directory. */
export interface KeptVectorsFile {
  readonly name: string;
  readonly bytes: number;
}

export interface VectorCacheControl {
  list(): Promise<KeptVectorsFile[]>;
  /** Whether there were such vectors and they are gone now. Those that a job is using are left alone. */
  delete(name: string): Promise<boolean>;
}

/** What an index file says of the model that made it. */
export interface IndexedModel {
  /** Where the model was, as given to `save`: a URL, or a path relative to the index file. */
  readonly reference: string | null;
  readonly format: string;
  readonly dim: number;
}
