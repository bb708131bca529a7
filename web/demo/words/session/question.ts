// An analogy to solve.

import type { AnalogyOptions } from 'ambry';

/** “a is to b as c is to …” */
export interface Question {
  readonly a: string;
  readonly b: string;
  readonly c: string;
  /** Whether the three words may be answers. */
  readonly include: boolean;
}

/** The words of a question, as the package's option `include` names them. */
export const questionWords = ['a', 'b', 'c'] as const satisfies AnalogyOptions['include'];
