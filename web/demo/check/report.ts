// The report to take home: what `ambry inspect --json` and `ambry validate --json` say, in one document.

import type { CheckedFile } from './state.ts';

export function reportDocument({ name, inspection, report }: CheckedFile): unknown {
  return { file: name, ...report, inspection };
}
