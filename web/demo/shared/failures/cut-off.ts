// What all pages say of a file whose end is missing.

import type { Problem } from 'ambry';
import { formatCount } from '../base/format.ts';

/** A larger size is that of a damaged header. */
const largestFile = 2 ** 42;

export interface CutOff {
  /** The size of the whole file; null if the file does not state it. */
  readonly whole: number | null;
}

/** Null if nothing is missing, or if something else is wrong, too. An empty file is not cut off, and is told otherwise. */
export function cutOffOf(errors: readonly Problem[]): CutOff | null {
  const isCut = errors.length > 0 && errors.every(({ code }) => code === 'Truncated');
  const whole = errors.find(({ wholeBytes }) => wholeBytes !== undefined)?.wholeBytes ?? null;
  const isEmpty = errors.some(({ message }) => /file is empty/.test(message));
  return isCut && !isEmpty && (whole ?? 0) <= largestFile ? { whole } : null;
}

/** `present` is undefined where the size of the file is not known. */
export function cutOffSentence({ whole }: CutOff, present: number | undefined): string {
  const known = whole !== null && (present === undefined || whole > present) ? whole : null;
  if (known !== null) {
    return present === undefined
      ? `Cut off: not all of its ${formatCount(known)} bytes are here.`
      : `Cut off: ${formatCount(present)} of ${formatCount(known)} bytes are here.`;
  }
  return present === undefined
    ? 'Cut off: its end is missing.'
    : `Cut off: only the first ${formatCount(present)} bytes are here.`;
}

export const cutOffAdvice = 'Get it again.';

/** Both sentences. */
export const cutOffLine = (cut: CutOff, present: number | undefined): string =>
  `${cutOffSentence(cut, present)} ${cutOffAdvice}`;
