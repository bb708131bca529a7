// Finds the parts of pages that have words of the query, by BM25.
import { rarityOf } from '../shared/postings.ts';
import { type Language, languageOf } from '../shared/stems.ts';
import { type QueryTerm, termsOf } from './query.ts';
import type { Snapshot } from './snapshot.ts';
import { lookUp, type TermScores } from './word-lookup.ts';

/** The query in one language. */
export interface LanguageQuery {
  readonly language: Language;
  readonly terms: readonly QueryTerm[];
  /** How much each word says, by its stem. */
  readonly rarities: ReadonlyMap<string, number>;
}

export interface WordsFound {
  /** From 0 to 1 for each part: its score divided by the best one, which is at least that of a part with all words. */
  readonly scores: ReadonlyMap<number, number>;
  /** By the code of the language. */
  readonly queries: ReadonlyMap<string, LanguageQuery>;
  readonly hasWords: boolean;
}

export async function searchWords(snapshot: Snapshot, query: string): Promise<WordsFound> {
  const { words } = snapshot.manifest;
  const scores = new Map<number, number>();
  const queries = new Map<string, LanguageQuery>();
  await Promise.all(
    Object.keys(words.parts).map(async (code) => {
      const language = await languageOf(code);
      const common = new Set(words.common[code]);
      const terms = tellingTerms(termsOf(query, language), common);
      const looked = await Promise.all(terms.map((term) => lookUp(snapshot, code, term)));
      const found = looked.filter((one) => one !== undefined);
      const rarities = new Map(found.map(({ stem, rarity }) => [stem, rarity]));
      queries.set(code, { language, terms, rarities });
      // A part with few of the words is no perfect one, even if no part has more.
      const missing = (terms.length - found.length) * rarityOf(0, words.parts[code] ?? 0);
      const best = found.reduce((sum, { rarity }) => sum + rarity, missing);
      addScores(scores, found, best);
    }),
  );
  const hasWords = [...queries.values()].some(({ terms }) => terms.length > 0);
  return { scores, queries, hasWords };
}

/** The words that say something: all of them, if none does. */
function tellingTerms(
  terms: readonly QueryTerm[],
  common: ReadonlySet<string>,
): readonly QueryTerm[] {
  const telling = terms.filter(({ stem }) => !common.has(stem));
  return telling.length > 0 ? telling : terms;
}

/** The parts of a language are in no other one. */
function addScores(all: Map<number, number>, found: readonly TermScores[], best: number): void {
  const sums = new Map<number, number>();
  for (const { scores } of found) {
    for (const [part, score] of scores) sums.set(part, (sums.get(part) ?? 0) + score);
  }
  let most = best;
  for (const score of sums.values()) most = Math.max(most, score);
  for (const [part, score] of sums) all.set(part, score / most);
}
