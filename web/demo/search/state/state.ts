// The state of the search page. Views show it, and the session changes it.

import type {
  Doc,
  Encoder,
  Problem,
  QuestionAnswerer,
  SearchHit,
  SearchIndex,
  WordVectors,
} from 'ambry';
import type { WordIndex } from 'ambry/terms';
import type { PageState } from '../../shared/jobs/jobs.ts';
import type { TabState } from '../../shared/tabs/tab-line.ts';
import type { ClosenessScale } from './scale.ts';

/** A model that turns texts into vectors. */
export type Embedder = Encoder | WordVectors;

/** The model in use and where it comes from. */
export interface LoadedModel {
  readonly model: Embedder;
  readonly name: string;
  readonly builtIn: boolean;
  /** The page opens it again from here if its worker dies. */
  readonly source: string | URL | Blob;
  /** The `.weights` file if the model was converted in this tab. */
  readonly converted: Blob | null;
  /** What the conversion left out, or assumed because the files do not say it. */
  readonly warnings?: readonly Problem[];
}

/** A model that answers questions from the passages that are found. */
export interface LoadedReader {
  readonly name: string;
  readonly model: QuestionAnswerer;
  /** The model is opened from here again after its worker died. */
  readonly source: LoadedModel['source'];
}

/** One document, or one collection of notes, as passages. */
export interface DocumentSource {
  /** Stays the same while its passages move from `waiting` to `passages`. */
  readonly id: string;
  readonly name: string;
  /** The indexed passages. */
  readonly passages: readonly Doc[];
  /** The passages that are not indexed yet. */
  readonly waiting?: readonly Doc[];
  /** The index file if it was imported. */
  readonly imported?: Blob;
}

export interface QueryResult {
  /** Best first. */
  readonly hits: readonly SearchHit[];
  /** The near-duplicates of a hit. */
  readonly nearDuplicates?: ReadonlyMap<SearchHit, readonly SearchHit[]>;
  /** The question with words of the passages in the place of those that none has. */
  readonly meant?: string;
  /** What was searched if not everything: "6 passages in Kitchen". */
  readonly scope?: string;
}

export interface Answer extends QueryResult {
  /** Found by words alone, while the model is not there yet. */
  readonly byWords?: boolean;
  readonly query: string;
  readonly milliseconds: number;
}

/** How close the hits of an answer are, as numbers, and what the numbers mean. */
export interface AnswerCloseness {
  readonly answer: Answer;
  readonly scores: readonly number[];
  readonly scale: ClosenessScale;
}

export interface QueryOptions {
  /** Rank by meaning alone, or by meaning and words. */
  readonly mode: 'meaning' | 'words';
  /** Search only these sources. An empty list means all. */
  readonly sources: readonly string[];
}

/** What the words count beside the meaning. More would let a single rare word win over a passage that means the same. */
export const hybridOf = (mode: QueryOptions['mode']): number => (mode === 'words' ? 0.2 : 0);

/** Searches an index with the options that the user chose. */
export type RunQuery = (
  index: SearchIndex,
  query: string,
  signal: AbortSignal,
) => Promise<QueryResult>;

/** The number of results on the page. */
export const resultCount = 8;

export interface SearchState extends PageState, TabState {
  readonly loaded: LoadedModel | null;
  readonly reader: LoadedReader | null;
  readonly sources: readonly DocumentSource[];
  /** True while the passages are the built-in notes. */
  readonly builtInNotes: boolean;
  readonly index: SearchIndex | null;
  /** The words of the built-in notes. They answer until the index is there. */
  readonly words: WordIndex | null;
  readonly query: string;
  readonly runQuery: RunQuery;
  /** What the user chose for `runQuery`. Absent before the full results are loaded. */
  readonly queryOptions?: QueryOptions;
  readonly answer: Answer | null;
  /** How close an answer is. Null until that is measured for this index. */
  readonly closeness: AnswerCloseness | null;
  /** No result of the answer is close to the question. */
  readonly nothingClose: boolean;
  /** What is saved for the next visit; null for nothing. */
  readonly saved: SavedData | null;
}

/** The data saved in this browser. */
export interface SavedData {
  /** Bytes by purpose, without those that are 0. */
  readonly sizes: readonly (readonly [purpose: string, bytes: number])[];
  /** Why the last change was not saved; empty if it was. */
  readonly problem: string;
}

export const emptyState: SearchState = {
  loaded: null,
  reader: null,
  sources: [],
  builtInNotes: true,
  index: null,
  words: null,
  query: '',
  runQuery: async (index, query, signal) => ({
    hits: await index.search(query, { k: resultCount, signal, hybrid: hybridOf('words') }),
  }),
  answer: null,
  closeness: null,
  nothingClose: false,
  saved: null,
  otherTab: false,
  job: null,
  failure: null,
  notice: '',
};

/** The number of indexed passages. */
export function countPassages(sources: readonly DocumentSource[]): number {
  return sources.reduce((sum, source) => sum + source.passages.length, 0);
}
