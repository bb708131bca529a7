// What the classify page knows. Views draw it, the session changes it.

import type { Classification, Classifier } from 'ambry';
import type { JobHost } from '../shared/jobs.ts';
import type { Timing } from './timing.ts';

/** One file of a network: as floats, or in one of the two kinds of bytes. */
export interface Variant {
  readonly name: string;
  readonly kind: 'vanilla' | 'dq8' | 'sq8';
  readonly model: Classifier;
}

/** A network in one or several variants, the floats first. */
export interface Network {
  readonly name: string;
  readonly builtIn: boolean;
  readonly variants: readonly Variant[];
  /** Where it can be opened from again, should a worker die. */
  readonly files: NetworkFiles;
}

/** Where a network comes from. */
export interface NetworkFiles {
  readonly name: string;
  readonly builtIn: boolean;
  readonly weights: readonly { readonly name: string; readonly source: URL | Blob }[];
  /** JSON of the graph; null for networks whose graph their tables tell. */
  readonly plan: string | null;
  /** A name for each class; empty where the plan's names, or numbers, do. */
  readonly labels: readonly string[];
}

export interface Picture {
  readonly name: string;
  /** Drawings and frames of the camera are on the pad already. */
  readonly from: 'drawing' | 'file' | 'camera';
  readonly pixels: ImageData;
}

export interface ClassifyState extends JobHost {
  readonly network: Network | null;
  readonly picture: Picture | null;
  /** Of the picture, by the variants in their order; empty without a picture. */
  readonly answers: readonly Classification[];
  readonly timings: readonly Timing[];
}

export const emptyState: ClassifyState = {
  network: null,
  picture: null,
  answers: [],
  timings: [],
  job: null,
  failure: null,
  notice: '',
};
