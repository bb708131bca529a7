// What the words page knows. Views draw it, the session changes it.

import type { AccuracyReport, Model, ScoredWord, WordExplanation, Words } from 'ambry';
import type { FileSource } from '../shared/file-source.ts';
import type { JobHost } from '../shared/jobs.ts';
import type { Picture } from './map/map-data.ts';

/** The vectors in use and how they came here. */
export interface LoadedWords extends FileSource {
  readonly model: Model;
  readonly words: Words;
  /** The first words of the file, to complete what is typed. */
  readonly vocabulary: readonly string[];
}

export interface Settings {
  /** How many words are listed. */
  readonly k: number;
  readonly metric: 'cosine' | 'angular';
}

/** A word that was looked up. */
export interface Lookup {
  readonly explanation: WordExplanation;
  /** Empty for a word without a vector, as the picture is null. */
  readonly hits: readonly ScoredWord[];
  readonly picture: Picture | null;
}

/** `a` is to `b` as `c` is to … */
export interface Question {
  readonly a: string;
  readonly b: string;
  readonly c: string;
  /** The three words themselves may be answers. */
  readonly include: boolean;
}

export interface Analogy {
  readonly question: Question;
  /** Those of the three words that have no vector; then there is nothing else. */
  readonly missing: readonly string[];
  readonly hits: readonly ScoredWord[];
  readonly picture: Picture | null;
}

export interface Accuracy {
  readonly name: string;
  readonly report: AccuracyReport;
}

export interface WordsState extends JobHost {
  readonly loaded: LoadedWords | null;
  readonly settings: Settings;
  readonly lookup: Lookup | null;
  readonly analogy: Analogy | null;
  readonly accuracy: Accuracy | null;
}

export const emptyState: WordsState = {
  loaded: null,
  settings: { k: 20, metric: 'cosine' },
  lookup: null,
  analogy: null,
  accuracy: null,
  job: null,
  failure: null,
  notice: '',
};
