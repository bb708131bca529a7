// The state of the words page. Views show it, and the session changes it.

import type { AccuracyReport, ScoredWord, WordExplanation, WordMetric, WordVectors } from 'ambry';
import type { FileSource } from '../../shared/files/file-source.ts';
import type { PageState } from '../../shared/jobs/jobs.ts';
import type { MapData } from '../map/map-data.ts';
import { firstQuestion, firstWord } from './built-in.ts';
import type { Question } from './question.ts';

export interface WordsSource extends FileSource {
  /** Only the most frequent words of a file, which answer until the whole file is here. */
  readonly isPart?: boolean;
}

/** The vectors in use and where they come from. */
export interface LoadedWords extends WordsSource {
  readonly model: WordVectors;
  /** The first words of the file, for suggestions. */
  readonly vocabulary: readonly string[];
  /** For a file that was opened in parts: the bytes that the page reads for nearest words only when it is told to. */
  readonly unread: number;
  /** What is missing of the file; empty if it is whole. */
  readonly cut: string;
}

export interface Settings {
  /** The number of nearest words to show. */
  readonly k: number;
  readonly metric: WordMetric;
}

/** A word that was looked up. */
export interface Lookup {
  /** As it was asked for. The list may write it in other cases. */
  readonly typed: string;
  readonly explanation: WordExplanation;
  /** Empty for a word without a vector. */
  readonly hits: readonly ScoredWord[];
  /** Null for a word without a vector. */
  readonly map: MapData | null;
}

export interface Analogy {
  readonly question: Question;
  /** The words without a vector. If there are any, there are no hits. */
  readonly missing: readonly string[];
  readonly hits: readonly ScoredWord[];
  readonly map: MapData | null;
}

export interface Accuracy {
  readonly name: string;
  readonly report: AccuracyReport;
}

export interface WordsState extends PageState {
  readonly loaded: LoadedWords | null;
  readonly settings: Settings;
  /** The word that is looked up, and the analogy that is solved. They are asked again after other vectors are opened. */
  readonly word: string;
  readonly question: Question;
  readonly lookup: Lookup | null;
  readonly analogy: Analogy | null;
  readonly accuracy: Accuracy | null;
}

export const emptyState: WordsState = {
  loaded: null,
  settings: { k: 20, metric: 'cosine' },
  word: firstWord,
  question: firstQuestion,
  lookup: null,
  analogy: null,
  accuracy: null,
  job: null,
  failure: null,
  notice: '',
};
