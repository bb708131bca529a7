// Groups passages that say nearly the same into one result. Works without a page.

import type { SearchHit } from 'ambry';
import { normalizeWord, wordRanges } from './matched-words.ts';

/** Near-duplicates share at least this part of their words. */
const sharedWordsThreshold = 0.8;

interface Group {
  readonly best: SearchHit;
  readonly words: ReadonlySet<string>;
  readonly others: SearchHit[];
}

/** True if most words and all numbers are the same. A notice with another price is no near-duplicate. */
function isNearDuplicate(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const differing = [...a].filter((word) => !b.has(word));
  differing.push(...[...b].filter((word) => !a.has(word)));
  const union = (a.size + b.size + differing.length) / 2;
  return (
    differing.length <= (1 - sharedWordsThreshold) * union &&
    !differing.some((word) => /\p{N}/u.test(word))
  );
}

/** Returns the best hit of each group, best first, and the other hits of each group by its best hit. */
export function groupNearDuplicates(hits: readonly SearchHit[]): {
  readonly hits: readonly SearchHit[];
  readonly nearDuplicates: ReadonlyMap<SearchHit, readonly SearchHit[]>;
} {
  const groups: Group[] = [];
  for (const hit of hits) {
    const words = new Set(wordRanges(hit.text).map(({ word }) => normalizeWord(word)));
    const group = groups.find(({ best, words: others }) =>
      words.size === 0 ? best.text === hit.text : isNearDuplicate(others, words),
    );
    if (group === undefined) {
      groups.push({ best: hit, words, others: [] });
    } else {
      group.others.push(hit);
    }
  }
  const several = groups.filter(({ others }) => others.length > 0);
  return {
    hits: groups.map(({ best }) => best),
    nearDuplicates: new Map(several.map(({ best, others }) => [best, others])),
  };
}
