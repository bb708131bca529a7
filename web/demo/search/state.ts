// What the search page knows. Views draw it, the session changes it.

import type { Doc, Encoder, SearchHit, SearchIndex, WordVectors } from 'ambry';
import type { JobHost } from '../shared/jobs.ts';

/** A model that turns texts into vectors. */
export type Embedder = Encoder | WordVectors;

/** The model in use and how it came here. */
export interface LoadedModel {
  readonly model: Embedder;
  readonly name: string;
  readonly builtIn: boolean;
  /** Where it can be opened from again, should its worker die. */
  readonly source: string | URL | Blob;
  /** The `.weights` file that was made in this tab, to be saved. */
  readonly converted: Blob | null;
}

/** One document, or one collection, cut into passages. */
export interface DocumentSource {
  /** Stays the same while its passages move from `waiting` to `passages`. */
  readonly id: string;
  readonly name: string;
  /** Those that can be searched. */
  readonly passages: readonly Doc[];
  /** Those whose turn to be indexed is yet to come. */
  readonly waiting?: readonly Doc[];
  /** The index file that it came in. */
  readonly imported?: Blob;
}

/** What the index gave for a question, best first. */
export interface Found {
  readonly hits: readonly SearchHit[];
  /** Further passages that say nearly the same as a hit. */
  readonly alike?: ReadonlyMap<SearchHit, readonly SearchHit[]>;
  /** What was searched, where that was not all: "6 passages in Kitchen". */
  readonly among?: string;
}

export interface Answer extends Found {
  readonly query: string;
  readonly milliseconds: number;
}

/** How a question is put to the index. */
export type Lookup = (index: SearchIndex, query: string, signal: AbortSignal) => Promise<Found>;

/** Results on the page. */
export const kShown = 8;

export interface SearchState extends JobHost {
  readonly loaded: LoadedModel | null;
  readonly sources: readonly DocumentSource[];
  /** True while the passages are the notes that come with the page. */
  readonly builtInNotes: boolean;
  readonly index: SearchIndex | null;
  readonly query: string;
  readonly lookup: Lookup;
  readonly answer: Answer | null;
  /** What a reload would find here; null while that is nothing. */
  readonly kept: Kept | null;
}

/** What is kept in this browser for the next visit. */
export interface Kept {
  /** Bytes by what they are for; what takes none is left out. */
  readonly sizes: readonly (readonly [what: string, bytes: number])[];
  /** Why the last change was not kept; empty where it was. */
  readonly trouble: string;
}

export const emptyState: SearchState = {
  loaded: null,
  sources: [],
  builtInNotes: true,
  index: null,
  query: '',
  lookup: async (index, query, signal) => ({
    hits: await index.search(query, { k: kShown, signal }),
  }),
  answer: null,
  kept: null,
  job: null,
  failure: null,
  notice: '',
};

/** Passages that can be searched. */
export function countPassages(sources: readonly DocumentSource[]): number {
  return sources.reduce((sum, source) => sum + source.passages.length, 0);
}
