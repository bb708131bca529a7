// Passages that say nearly the same fold into one result. Knows nothing of the page.

import type { SearchHit } from 'ambry';
import { plainForm, wordRanges } from './matched-words.ts';

/** From this share of common words on, a second passage tells nothing new. */
const kAlike = 0.8;

interface Group {
  readonly best: SearchHit;
  readonly words: ReadonlySet<string>;
  readonly others: SearchHit[];
}

/** Mostly the same words, and all the same numbers: the same notice with another price is another notice. */
function sayTheSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const differing = [...a].filter((word) => !b.has(word));
  differing.push(...[...b].filter((word) => !a.has(word)));
  const either = (a.size + b.size + differing.length) / 2;
  return (
    differing.length <= (1 - kAlike) * either && !differing.some((word) => /\p{N}/u.test(word))
  );
}

/** The best hit of each group, best first, and under each that has them the others. */
export function foldAlike(hits: readonly SearchHit[]): {
  readonly hits: readonly SearchHit[];
  readonly alike: ReadonlyMap<SearchHit, readonly SearchHit[]>;
} {
  const groups: Group[] = [];
  for (const hit of hits) {
    const words = new Set(wordRanges(hit.text).map(({ word }) => plainForm(word)));
    const like = groups.find(({ best, words: its }) =>
      words.size === 0 ? best.text === hit.text : sayTheSame(its, words),
    );
    if (like === undefined) {
      groups.push({ best: hit, words, others: [] });
    } else {
      like.others.push(hit);
    }
  }
  const folded = groups.filter(({ others }) => others.length > 0);
  return {
    hits: groups.map(({ best }) => best),
    alike: new Map(folded.map(({ best, others }) => [best, others])),
  };
}
