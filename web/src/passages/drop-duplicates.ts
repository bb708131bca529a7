// Finds passages that say the same.
import { AmbryError } from '../base/errors.ts';
import type { Passage } from './base/types.ts';

/**
 * Leaves out passages whose text occurred before. White space and letter case do not matter.
 *
 * @example
 * const { passages, dropped } = dropDuplicates(read.flatMap((document) => document.passages));
 */
export function dropDuplicates(passages: readonly Passage[]): {
  passages: Passage[];
  dropped: number;
} {
  const isList = Array.isArray(passages);
  const wrong = isList && Array.from(passages).findIndex((one) => typeof one?.text !== 'string');
  if (wrong !== -1) {
    const path = isList ? `passages[${wrong}]` : 'passages';
    throw new AmbryError('BadValue', 'Must be a list of passages, as readDocument gives it.', {
      path,
    });
  }
  const seen = new Set<string>();
  const kept = passages.filter(({ text }) => {
    const key = text.replace(/\s+/g, ' ').trim().toLowerCase();
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
  return { passages: kept, dropped: passages.length - kept.length };
}
