// The report as one document.

import type { CheckedFile } from './session/state.ts';

/** The output of `ambry inspect --json` and `ambry validate --json`. */
export function reportDocument({ name, inspection, report, run }: CheckedFile): unknown {
  return { file: name, ...report, run, inspection };
}
