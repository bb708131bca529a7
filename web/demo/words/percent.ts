// Shares of right answers.

import type { AccuracyCounts } from 'ambry';
import { percentOf } from '../shared/percent.ts';

/** Right answers in percent of those that could be asked. */
export function percent({ correct, count }: AccuracyCounts): string {
  return count === 0 ? 'none asked' : percentOf(correct / count);
}
