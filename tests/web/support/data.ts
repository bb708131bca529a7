// Tests over files of the data folder (tests/data-folder.mjs).
import { describe, test } from 'vitest';
import { missingData } from '../../data-folder.mjs';

/**
 * A group of tests that read these files or folders of the data folder. Where one is missing, `body` is
 * not called, so that it may read them at once; a line says what is missing.
 */
export function describeWithData(title: string, needed: readonly string[], body: () => void): void {
  const missing = missingData(...needed);
  if (missing === undefined) {
    describe(title, body);
  } else {
    console.log(`skipped: ${missing}`);
    describe(title, () => test.skip(missing, () => {}));
  }
}
