// What the check page knows. Views draw it, the session changes it.

import type { Inspection, ValidationReport } from 'ambry';
import type { JobHost } from '../shared/jobs.ts';

export interface CheckedFile {
  readonly id: number;
  readonly name: string;
  readonly source: File | string;
  /** Null while it is not known, or where the file cannot be read that far. */
  readonly inspection: Inspection | null;
  readonly report: ValidationReport | null;
  /** A strict reader refuses it, and writing the same content anew would mend that. */
  readonly fixable: boolean;
  /** Why there is no report: the file could not be read at all. */
  readonly failure: unknown;
}

export interface CheckState extends JobHost {
  readonly files: readonly CheckedFile[];
  readonly selected: number | null;
}

export const emptyState: CheckState = {
  files: [],
  selected: null,
  job: null,
  failure: null,
  notice: '',
};

export function selectedFile(state: CheckState): CheckedFile | null {
  return state.files.find(({ id }) => id === state.selected) ?? null;
}

/** In one word, for lists and colours. */
export type Verdict = 'waiting' | 'valid' | 'warned' | 'invalid' | 'unknown' | 'unreadable';

export function verdictOf({ report, failure }: CheckedFile): Verdict {
  if (failure !== null) {
    return 'unreadable';
  }
  if (report === null) {
    return 'waiting';
  }
  if (report.format === null) {
    return 'unknown';
  }
  if (!report.valid) {
    return 'invalid';
  }
  return report.warnings.length > 0 ? 'warned' : 'valid';
}
