// What the search page knows. Views draw it, the session changes it.

import type { Doc, Model, SearchHit, SearchIndex } from 'ambry';
import type { JobHost } from '../shared/jobs.ts';

/** The model in use and how it came here. */
export interface LoadedModel {
  readonly model: Model;
  readonly name: string;
  readonly builtIn: boolean;
  /** Where it can be opened from again, should its worker die. */
  readonly source: string | URL | Blob;
  /** The `.weights` file that was made in this tab, to be saved. */
  readonly converted: Blob | null;
}

/** One document, or one collection, cut into passages. */
export interface DocumentSource {
  readonly name: string;
  readonly passages: readonly Doc[];
}

/** Ranked passages for a question. */
export interface Answer {
  readonly query: string;
  readonly hits: readonly SearchHit[];
  readonly milliseconds: number;
}

export interface SearchState extends JobHost {
  readonly loaded: LoadedModel | null;
  readonly sources: readonly DocumentSource[];
  /** True while the passages are the notes that come with the page. */
  readonly builtInNotes: boolean;
  readonly index: SearchIndex | null;
  readonly query: string;
  readonly answer: Answer | null;
}

export const emptyState: SearchState = {
  loaded: null,
  sources: [],
  builtInNotes: true,
  index: null,
  query: '',
  answer: null,
  job: null,
  failure: null,
  notice: '',
};

export function countPassages(sources: readonly DocumentSource[]): number {
  return sources.reduce((sum, source) => sum + source.passages.length, 0);
}
