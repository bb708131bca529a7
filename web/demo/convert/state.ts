// The state of the convert page. Views show it, and the session changes it.

import type {
  ConversionReport,
  ConversionTargets,
  Inspection,
  OutputAgreement,
  Problem,
  ValidationReport,
} from 'ambry';
import type { PageState } from '../shared/jobs/jobs.ts';

/** The model to convert: one file, several files by their paths, or an address. */
export interface SourceModel {
  readonly name: string;
  readonly files: File | ReadonlyMap<string, File> | string;
  /** 0 for an address that was not inspected. */
  readonly bytes: number;
}

export interface Settings {
  /** The format of the source. Empty: detect it. */
  readonly from: string;
  /** The model's architecture. Empty: as the source states it. */
  readonly arch: string;
  readonly to: string;
  /** A value of storage-types.ts. */
  readonly storage: string;
  readonly block: number;
  readonly bits: number;
  /** Text to calibrate the quantization of a language model; may be empty. */
  readonly calibration: string;
  /** Pictures to calibrate the quantization of a network. */
  readonly images: readonly File[];
  /** The plan of the network: how its layers follow one another. */
  readonly plan: File | null;
  /** Whether the conversion may leave out what the target cannot hold. */
  readonly lossy: boolean;
}

/** What is wrong with the source. */
export interface SourceFault {
  readonly kind: 'cutOff' | 'damaged';
  readonly sentence: string;
}

export interface Outcome {
  readonly name: string;
  readonly content: Blob;
  readonly bytesBefore: number;
  readonly report: ConversionReport | null;
  /** How much quantization changes the outputs; null if the model cannot run. */
  readonly agreement: OutputAgreement | null;
  readonly warnings: readonly Problem[];
  /** The result of the check; null while it runs. */
  readonly check: ValidationReport | null;
}

export interface ConvertState extends PageState {
  readonly source: SourceModel | null;
  /** Null for formats that can only be converted, not inspected. */
  readonly inspection: Inspection | null;
  readonly targets: ConversionTargets | null;
  /** Null if the source is sound, as far as its headers tell. */
  readonly fault: SourceFault | null;
  readonly settings: Settings;
  readonly outcome: Outcome | null;
}

export const emptyState: ConvertState = {
  source: null,
  inspection: null,
  targets: null,
  fault: null,
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
