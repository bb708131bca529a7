import type { OutcomeText, PartialSource, Validation } from './types.mjs';

/** Looking into files: inspection and validation. */
export interface InspectionBindings {
  /** JSON array of registry ids. */
  formatIds(): string;
  /** A FileInfo. */
  inspect(source: PartialSource, vocabulary: boolean): OutcomeText<unknown>;
  beginValidation(
    source: PartialSource,
    strict: boolean,
    values: boolean,
    checksums: boolean,
    vocabulary: boolean,
  ): OutcomeText<Validation>;
  /** A ValidationReport. */
  finishValidation(validation: Validation): OutcomeText<unknown>;
}
