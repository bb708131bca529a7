// Replaces words of a query that no page has by near words of the site.

import type { Snapshot } from '../files/snapshot.ts';
import { isListed } from './listed-words.ts';
import { nearestWord } from './near-words.ts';
import type { QueryTerm } from './query.ts';
import { lookUp } from './word-lookup.ts';
import type { LookedUp } from './word-search.ts';

/** A word that was corrected says less than one that was typed so. */
const correctedShare = 0.7;

/** By the word that was typed. */
export type Corrections = ReadonlyMap<string, string>;

/** Changes the terms and scores of words that no language has. Where pages have another word of the query, words that are listed
 *  with their meaning are not misspelled: `feeling` is no `feeding`. */
export async function correctWords(
  snapshot: Snapshot,
  looked: readonly LookedUp[],
): Promise<Corrections> {
  const known = new Set(
    looked.flatMap(({ terms, scores }) =>
      terms.filter((_, i) => scores[i]).map(({ word }) => word),
    ),
  );
  const corrections = new Map<string, string>();
  for (const one of looked) {
    for (const [i, term] of one.terms.entries()) {
      if (known.has(term.word)) {
        continue;
      }
      const isWord = known.size > 0 && (await isListed(snapshot, one.language.fold(term.word)));
      const near = isWord ? undefined : await correct(snapshot, one, i, term);
      if (near !== undefined) {
        corrections.set(term.word, near);
      }
    }
  }
  return corrections;
}

async function correct(
  snapshot: Snapshot,
  { language, terms, scores }: LookedUp,
  i: number,
  term: QueryTerm,
): Promise<string | undefined> {
  const near = await nearestWord(snapshot, language.code, language.fold(term.word));
  const found =
    near && (await lookUp(snapshot, language.code, { stem: near.stem, prefix: undefined }));
  if (!found) {
    return undefined;
  }
  terms[i] = { ...term, stem: near.stem, prefix: undefined };
  const less = [...found.scores].map(([part, score]) => [part, score * correctedShare] as const);
  scores[i] = { ...found, scores: new Map(less) };
  return near.word;
}

/** The query with the words that it may have meant; undefined if no word was corrected. */
export function correctedQuery(query: string, corrections: Corrections): string | undefined {
  if (corrections.size === 0) {
    return undefined;
  }
  return query.replace(/[\p{L}\p{M}\p{N}]+/gu, (word) => corrections.get(word) ?? word);
}
