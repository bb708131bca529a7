// The state of the check page. Views show it, and the session changes it.

import type { Inspection, RunReport, ValidationReport } from 'ambry';
import type { Explanation } from '../../shared/explain/explain.ts';
import { cutOffOf } from '../../shared/failures/cut-off.ts';
import type { CheckSource } from '../../shared/files/given-sources.ts';
import type { PageState } from '../../shared/jobs/jobs.ts';
import { onlyStops } from '../../shared/recognize/only-stops.ts';

export interface CheckedFile {
  readonly id: number;
  readonly name: string;
  readonly source: CheckSource;
  /** Null before the inspection, or if the file cannot be inspected. */
  readonly inspection: Inspection | null;
  /** What the inspection is of: the source, or the graph in a folder. */
  readonly inspected: CheckSource;
  /** Null before the check. */
  readonly report: ValidationReport | null;
  /** What it runs as. Null until that is known. */
  readonly run: RunReport | null;
  /** A strict reader refuses the file, and writing its content again would repair it. */
  readonly repairable: boolean;
  /** What follows behind the end of the model; else empty. */
  readonly tail: string;
  /** What a file is that is no model; else null. */
  readonly explanation: Explanation | null;
  /** The error if the file could not be read; else null. */
  readonly failure: unknown;
}

/** A part of the model. The table shows only its tensors. */
export interface ListedPart {
  readonly title: string;
  /** Positions in the file's list of tensors. */
  readonly tensors: readonly number[];
}

export interface CheckState extends PageState {
  readonly files: readonly CheckedFile[];
  readonly selected: number | null;
  /** Null: the table shows all tensors. */
  readonly listed: ListedPart | null;
  /** The tensors that the map and the table mark. */
  readonly marked: readonly number[];
  /** Where the table scrolls to: a tensor, or its beginning if null. A new object is a new request. */
  readonly goal: { readonly tensor: number | null } | null;
}

export const emptyState: CheckState = {
  files: [],
  selected: null,
  listed: null,
  marked: [],
  goal: null,
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
  /** No error so far, but the weights were not read. */
  | 'partial'
  | 'warned'
  | 'invalid'
  | 'cutOff'
  | 'unknown'
  | 'unreadable'
  | 'runs'
  | 'stopped';

export function verdictOf(file: CheckedFile): Verdict {
  const { report, run, failure } = file;
  if (failure !== null) {
    return 'unreadable';
  }
  if (onlyStops(report, run)) {
    return 'stopped';
  }
  if (report !== null && cutOffOf(report.errors) !== null) {
    return 'cutOff';
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
  if (report.warnings.length > 0) {
    return 'warned';
  }
  return report.depth === 'headers' || report.depth === 'structure' ? 'partial' : 'valid';
}
