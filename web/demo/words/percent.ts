// Shares as people read them.

import type { AccuracyCounts } from 'ambry';

/** Right answers in percent of those that could be asked. */
export function percent({ correct, count }: AccuracyCounts): string {
  return count === 0 ? 'none asked' : `${((100 * correct) / count).toFixed(1)} %`;
}
