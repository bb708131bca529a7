// The state of the landing page. Views show it, and the session changes it.

import type { GivenFiles } from '../shared/files/given-files.ts';
import type { PageState } from '../shared/jobs/jobs.ts';
import type { PageOffer } from '../shared/recognize/file-pages.ts';

/** Whether a model is sound; `other` for what is no model. */
export type Verdict = 'sound' | 'warned' | 'damaged' | 'cutOff' | 'unreadable' | 'other';

/** What a user gave: one model, or documents. */
export interface Found {
  readonly id: number;
  readonly name: string;
  /** The files, or the address of the model. */
  readonly given: GivenFiles | string;
  /** What it is, as a noun: `a language model`; empty if it could not be read. */
  readonly what: string;
  /** The format and size. */
  readonly details: string;
  readonly verdict: Verdict;
  /** Sentences: what is wrong, in what memory it runs, or what to do. */
  readonly lines: readonly string[];
  /** The exact words for what is wrong, which are folded. */
  readonly exact?: string;
  /** The pages that open it, the best one first. */
  readonly pages: readonly PageOffer[];
}

export interface HomeState extends PageState {
  readonly found: readonly Found[];
}

export const emptyState: HomeState = { found: [], job: null, failure: null, notice: '' };
