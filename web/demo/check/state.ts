// The state of the check page. Views show it, and the session changes it.

import type { Inspection, RunReport, ValidationReport } from 'ambry';
import type { PageState } from '../shared/jobs.ts';
import type { CheckSource } from './given-sources.ts';

export interface CheckedFile {
  readonly id: number;
  readonly name: string;
  readonly source: CheckSource;
  /** Null before the inspection, or if the file cannot be inspected. */
  readonly inspection: Inspection | null;
  /** Null before the check, and for a folder. */
  readonly report: ValidationReport | null;
  /** What it runs as. Null until that is known. */
  readonly run: RunReport | null;
  /** A strict reader refuses the file, and writing its content again would repair it. */
  readonly repairable: boolean;
  /** The error if the file could not be read; else null. */
  readonly failure: unknown;
}

export interface CheckState extends PageState {
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

/** The result of the check in one word. */
export type Verdict =
  | 'waiting'
  | 'valid'
  | 'warned'
  | 'invalid'
  | 'unknown'
  | 'unreadable'
  | 'runs'
  | 'stopped';

export function verdictOf({ report, run, failure }: CheckedFile): Verdict {
  if (failure !== null) {
    return 'unreadable';
  }
  if (report === null) {
    return run === null ? 'waiting' : run.obstacle === null ? 'runs' : 'stopped';
  }
  if (report.format === null) {
    return run?.obstacle === null ? 'runs' : 'unknown';
  }
  if (!report.valid) {
    return 'invalid';
  }
  return report.warnings.length > 0 ? 'warned' : 'valid';
}
