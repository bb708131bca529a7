// The options and results of a search index.

import type { Embedder } from '../../model/embedding.ts';
import type { RuntimeOptions } from '../../platform/types.ts';
import type { AnswerOptions, ExtractedAnswer } from '../../question-answering/types.ts';
import type { JobOptions } from '../../rpc/types.ts';
import type { FetchOptions } from '../../sources/base/types.ts';
import type { SparseEncoder } from '../../sparse-encoder/client.ts';

/** A passage to index: its text, and any fields that a hit should return. */
export interface Doc {
  readonly id?: string | number;
  readonly text: string;
  readonly [field: string]: unknown;
}

export interface SearchHit {
  /** The passage's own id, or its position in the index. */
  readonly id: string | number;
  /** The score by which hits are sorted: the cosine, MaxSim of a model with late interaction, or the dot product of sparse
   *  vectors; with `hybrid` a weighted sum with the word score; in an index with the option `sparse` a weighted sum, too; with
   *  `rerank` that of the reranker. */
  readonly score: number;
  /** With `rerank`: the score by which the index found the passage. `score` is the reranker's then. */
  readonly retrievalScore?: number;
  /** Cosine similarity, −1 to 1. With late interaction the mean over the query's tokens, each with the token of the passage
   *  that is nearest to it. */
  readonly cosine: number;
  /** In an index with the option `sparse`: the dot product of the sparse vectors. */
  readonly sparse?: number;
  /** With `hybrid`: the words of the query that the passage has. */
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
   * Ranks by meaning and by words: cosine similarity and BM25, of words and of pairs that stand side by side. True, or the weight of the words from 0 to 1;
   * 0.5 when true. If passages have the phrases in quotation marks of the query, only those are found. The first such search
   * loads the code and indexes the words.
   */
  readonly hybrid?: boolean | number;
  /**
   * In an index with the option `sparse`: the weight of the sparse vectors beside the others, from 0 to 1. 0.5 when true or
   * absent; with false or 0 they do not count. A score is divided by the best of all passages first.
   */
  readonly sparse?: boolean | number;
  /** Searches only passages for which the function returns true. */
  readonly filter?: (doc: Doc) => boolean;
  /**
   * Sorts the best passages of the index anew: a `Reranker`, an `Encoder` with late interaction, or any object with such a
   * method `rank`. It reads the query and each of the `candidates`.
   */
  readonly rerank?: Ranker;
  /** With `rerank`: how many passages it gets; 50 when absent, and never less than `k`. */
  readonly candidates?: number;
  readonly signal?: AbortSignal;
}

/** Something that sorts texts by how well they match a query. */
export interface Ranker {
  /** The places of the `k` best documents in the list, and their scores, the best first. */
  rank(
    query: string,
    documents: readonly string[],
    options: { readonly k: number; readonly signal?: AbortSignal },
  ): Promise<readonly { readonly index: number; readonly score: number }[]>;
}

/** The defaults of options that are absent. */
export const searchDefaults = { k: 10, candidates: 50 } as const satisfies SearchOptions;

/** The options of `answer` of an index. `noAnswer` leaves out answers that are less likely than that their passage has none, so
 *  that there may be no answer at all. */
export interface IndexAnswerOptions
  extends AnswerOptions,
    Pick<SearchOptions, 'prompt' | 'hybrid' | 'sparse' | 'filter' | 'rerank' | 'candidates'> {
  /** How many passages are searched for and read; 5 when absent. */
  readonly passages?: number;
}

/** Something that finds answers in texts, such as a `QuestionAnswerer`. */
export interface Answerer {
  /** The best answers in each text, the best first. */
  answer(
    question: string,
    contexts: readonly string[],
    options: AnswerOptions,
  ): Promise<readonly (readonly ExtractedAnswer[])[]>;
}

/** An answer, and the passage that has it. `start` and `end` are places in the passage. */
export interface IndexAnswer extends ExtractedAnswer {
  /** The passage's own id, or its position in the index. */
  readonly id: string | number;
  /** The text of the passage. */
  readonly passage: string;
  /** The score by which the index found the passage. */
  readonly retrievalScore: number;
  readonly doc: Doc;
}

/** The defaults of options that are absent. */
export const indexAnswerDefaults = { passages: 5 } as const satisfies IndexAnswerOptions;

/** How an index keeps its vectors: 8-bit codes with one scale a vector, or floats that take four times the memory. The
 *  first is the default. */
export const vectorStorages = ['int8', 'f32'] as const;
export type VectorStorage = (typeof vectorStorages)[number];

/** How passages are embedded for an index. */
export interface IndexingOptions extends JobOptions {
  /** How many workers embed at the same time; 1 when absent. Where there is no `SharedArrayBuffer`, each
   *  further worker has a copy of the model. It ends some seconds after the last text. Word vectors,
   *  models with late interaction and sparse encoders use one worker. */
  readonly workers?: number;
  /** Stores vectors under this name, so that interrupted indexing can continue. A text is not embedded again if its
   *  vector is stored under this name for the same model and prompt. Vectors of another model or prompt are replaced.
   *  In a browser they are in the origin-private file system. In Node they are in the user's cache directory, or in
   *  the file `path`. If storing fails, `progress.note` says why and the indexing continues. Not for models
   *  with late interaction, nor for sparse encoders. */
  readonly keep?: string | { readonly path: string };
}

export interface IndexOptions extends IndexingOptions, RuntimeOptions {
  /** Text put before each passage, or the name of one of the model's prompts. Not for sparse encoders. */
  readonly prompt?: string;
  /** int8 when absent. Not for sparse encoders, whose weights are floats. */
  readonly vectors?: VectorStorage;
  /** A sparse encoder that embeds the passages, too. Searches then rank by both. */
  readonly sparse?: SparseEncoder;
  /** The language of the passages as a tag (`de`, `pt-BR`), or several. A search with `hybrid` removes the endings of
   *  their words. Detected from all passages when absent, and saved with the index. */
  readonly language?: string | readonly string[];
}

/** The vectors that the option `keep` has stored in this browser, or in the user's cache directory. */
export interface KeptVectorsFile {
  readonly name: string;
  readonly bytes: number;
}

export interface VectorCacheControl {
  list(): Promise<KeptVectorsFile[]>;
  /** Deletes the vectors and returns whether there were any. Vectors that a job uses are not deleted. */
  delete(name: string): Promise<boolean>;
}

/** Where the models are, for the program that opens the file. */
export interface SaveIndexOptions {
  /** The model: a URL, or a path relative to the index file. */
  readonly model?: string;
  /** The sparse encoder beside it, of an index with the option `sparse`. */
  readonly sparse?: string;
}

/** A model whose vectors an index can have. */
export type IndexModel = Embedder | SparseEncoder;

/** What `openIndex` needs besides the file. */
export interface OpenIndexOptions<M extends IndexModel = IndexModel>
  extends JobOptions,
    RuntimeOptions,
    FetchOptions {
  /** The model that made the index, or a function that opens it from what the file says of it. Any other model is
   *  refused with `Mismatch`. */
  readonly model: M | ((indexed: IndexedModel) => Promise<M>);
  /** For an index with the option `sparse`: the sparse encoder that made it, or a function that opens it. The function is
   *  called only for such an index. */
  readonly sparse?: SparseEncoder | ((indexed: IndexedModel) => Promise<SparseEncoder>);
}

/** The model that made an index, as the index file describes it. */
export interface IndexedModel {
  /** The location of the model, as given to `save`: a URL, or a path relative to the index file. */
  readonly reference: string | null;
  readonly format: string;
  /** The length of a vector, or the size of the vocabulary of a sparse encoder. */
  readonly dim: number;
  /** Only of a sparse encoder. Some models are one only if `open` is told this kind. */
  readonly kind?: 'sparseEncoder';
}
