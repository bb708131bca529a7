// The state of the classify page. Views show it, and the session changes it.

import type {
  Aggregation,
  ClassifierExample,
  ImageClassifier,
  ImageRun,
  LabelScore,
  NetworkVariant,
  TextClassifier,
  TextEntity,
  TokenClassifier,
  TrainedClassifier,
} from 'ambry';
import type { FileSource } from '../../shared/files/file-source.ts';
import type { PageState } from '../../shared/jobs/jobs.ts';
import type { Task } from './task.ts';
import type { Timing } from './timing.ts';

/** One file of a network: with float weights, or quantized in one of two ways. */
export interface Variant {
  readonly name: string;
  readonly kind: NetworkVariant;
  readonly model: ImageClassifier;
}

/** A network in one or more variants, floats first. */
export interface Network {
  readonly name: string;
  readonly builtIn: boolean;
  readonly variants: readonly Variant[];
  /** The page opens it again from here if a worker dies. */
  readonly files: NetworkFiles;
}

/** Where a network comes from. */
export interface NetworkFiles {
  readonly name: string;
  readonly builtIn: boolean;
  readonly weights: readonly { readonly name: string; readonly source: URL | Blob | string }[];
  /** The graph as JSON; null if the weights file describes it. */
  readonly plan: string | null;
  /** The address of the plan if it came from one. */
  readonly planSource?: string;
  /** The class names. Empty: use the names of the plan, or numbers. */
  readonly labels: readonly string[];
}

export interface Picture {
  readonly name: string;
  readonly from: 'drawing' | 'file' | 'camera';
  readonly pixels: ImageData;
}

/** A model of texts, and what it was opened from. */
export interface OpenTextModel<Model> extends FileSource {
  readonly model: Model;
}

/** A task with a text: what is typed, the model, and what it found in the text before. */
export interface TextPart<Model, Found> {
  readonly typed: string;
  readonly loaded: OpenTextModel<Model> | null;
  readonly answer: { readonly text: string; readonly found: Found } | null;
}

export type LabelPart = TextPart<TextClassifier, readonly LabelScore[]>;
export type NamePart = TextPart<TokenClassifier, readonly TextEntity[]>;

/** How names are found. */
export interface NameSettings {
  readonly aggregation: Aggregation;
  /** Names with a smaller score are not shown. */
  readonly threshold: number;
}

/** What was learned from texts, or opened from a file. */
export interface Learned {
  readonly classifier: TrainedClassifier;
  /** Null for a classifier from a file. */
  readonly examples: readonly ClassifierExample[] | null;
}

export interface ClassifyState extends PageState {
  readonly task: Task;
  readonly network: Network | null;
  readonly picture: Picture | null;
  /** One answer for each variant; empty without a picture. */
  readonly answers: readonly ImageRun[];
  readonly timings: readonly Timing[];
  readonly text: LabelPart;
  /** How many labels are shown; 0 for all. */
  readonly labelCount: number;
  readonly names: NamePart;
  readonly nameSettings: NameSettings;
  readonly learned: Learned | null;
  /** The text that is tried with what was learned. */
  readonly tried: string;
  /** The labels of the text that is tried. */
  readonly triedLabels: readonly LabelScore[];
}

export const usualLabelCount = 5;

export const usualNameSettings: NameSettings = { aggregation: 'average', threshold: 0 };

const emptyPart = { typed: '', loaded: null, answer: null };

export const emptyState: ClassifyState = {
  task: 'picture',
  network: null,
  picture: null,
  answers: [],
  timings: [],
  text: emptyPart,
  labelCount: usualLabelCount,
  names: emptyPart,
  nameSettings: usualNameSettings,
  learned: null,
  tried: '',
  triedLabels: [],
  job: null,
  failure: null,
  notice: '',
};
