import type { OutcomeText, TextJob, TextRows } from './types.mjs';

/** Jobs over texts, which the bindings of a kind begin: `addText` every text, `startTexts`, and `stepTexts` until it is
 *  done. The rows come in the order of the texts. */
export interface TextsBindings {
  addText(job: TextJob, text: Uint8Array): OutcomeText<null>;
  startTexts(job: TextJob): OutcomeText<null>;
  /** Does some of the work. `part` is not null when tensors of this part of a model must be given first (`roomFor`). */
  stepTexts(job: TextJob): OutcomeText<{ done: boolean; doneTexts: number; part: number | null }>;
  rowsOfTexts(job: TextJob): OutcomeText<TextRows>;
}
