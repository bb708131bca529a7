// The state of the classify page. Views show it, and the session changes it.

import type {
  ImageClassifier,
  ImageRun,
  LabelScore,
  NetworkVariant,
  TrainedClassifier,
} from 'ambry';
import type { PageState } from '../../shared/jobs/jobs.ts';
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

/** What was learned from texts. */
export interface Learned {
  readonly classifier: TrainedClassifier;
}

export interface ClassifyState extends PageState {
  readonly network: Network | null;
  readonly picture: Picture | null;
  /** One answer for each variant; empty without a picture. */
  readonly answers: readonly ImageRun[];
  readonly timings: readonly Timing[];
  readonly learned: Learned | null;
  /** The labels of the text that is tried. */
  readonly textLabels: readonly LabelScore[];
}

export const emptyState: ClassifyState = {
  network: null,
  picture: null,
  answers: [],
  timings: [],
  learned: null,
  textLabels: [],
  job: null,
  failure: null,
  notice: '',
};
