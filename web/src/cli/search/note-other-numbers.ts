import type { SearchIndex } from '../../index.ts';
import type { Terminal } from '../shared/terminal.ts';

/** Warns of an index whose vectors the model computes otherwise now. */
export function noteOtherNumbers(index: SearchIndex, terminal: Terminal): void {
  if (index.computesAlike) {
    return;
  }
  terminal.note(
    'warning  The vectors of this index were computed with other weights or by another version. Scores may be off by some thousandths. Make the index anew for exact ones.',
  );
}
