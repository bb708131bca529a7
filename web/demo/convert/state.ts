// What the convert page knows. Views draw it, the session changes it.

import type {
  ConversionReport,
  ConversionTargets,
  Inspection,
  OutputAgreement,
  Problem,
  ValidationReport,
} from 'ambry';
import type { JobHost } from '../shared/jobs.ts';

/** What somebody dropped: one file, or the files of a model that is more than one. */
export interface GivenModel {
  readonly name: string;
  readonly source: File | ReadonlyMap<string, File>;
  readonly bytes: number;
}

/** How the target stores its numbers, and what may be lost. */
export interface Settings {
  /** What the source is, where its bytes do not tell; empty: find out. */
  readonly from: string;
  /** The model's architecture, where the source does not state it; empty: as it states. */
  readonly arch: string;
  readonly to: string;
  /** A value of storage.ts. */
  readonly storage: string;
  readonly block: number;
  readonly bits: number;
  /** What a language model is run over, so that errors count by what each weight meets; may be empty. */
  readonly calibration: string;
  /** Pictures that a network is run over, and how its layers follow one another. */
  readonly images: readonly File[];
  readonly plan: File | null;
  readonly lossy: boolean;
}

export interface Outcome {
  readonly name: string;
  readonly content: Blob;
  readonly bytesBefore: number;
  readonly report: ConversionReport | null;
  /** How alike the outputs are, of models that were quantised and can be run. */
  readonly agreement: OutputAgreement | null;
  readonly warnings: readonly Problem[];
  /** What the page's own check says of it; null while it runs. */
  readonly check: ValidationReport | null;
}

export interface ConvertState extends JobHost {
  readonly given: GivenModel | null;
  /** Null for kinds of files that are only converted from. */
  readonly inspection: Inspection | null;
  readonly targets: ConversionTargets | null;
  readonly settings: Settings;
  readonly outcome: Outcome | null;
}

export const emptyState: ConvertState = {
  given: null,
  inspection: null,
  targets: null,
  settings: {
    from: '',
    arch: '',
    to: '',
    storage: '',
    block: 32,
    bits: 5,
    calibration: '',
    images: [],
    plan: null,
    lossy: false,
  },
  outcome: null,
  job: null,
  failure: null,
  notice: '',
};
