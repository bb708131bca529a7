// In what two variants of a network disagree over a picture.

import type { Classification } from 'ambry';

export interface Difference {
  readonly sameAnswer: boolean;
  /** The largest one between two probabilities of a class. */
  readonly largest: number;
}

/** Both with all their classes. */
export function differenceOf(a: Classification, b: Classification): Difference {
  const probabilities = new Map(b.top.map(({ index, probability }) => [index, probability]));
  const gaps = a.top.map(({ index, probability }) =>
    Math.abs(probability - (probabilities.get(index) ?? 0)),
  );
  return { sameAnswer: a.top[0]?.index === b.top[0]?.index, largest: Math.max(0, ...gaps) };
}
