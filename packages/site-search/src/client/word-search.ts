// Finds the parts of pages that have words of the query, by BM25.
import type { PageTable } from '../shared/page-table.ts';
import { rarityOf } from '../shared/postings.ts';
import { type Language, languageOf } from '../shared/stems.ts';
import { type QueryTerm, termsOf } from './query.ts';
import type { Snapshot } from './snapshot.ts';
import { lookUp } from './word-lookup.ts';

/** The query in one language. */
export interface LanguageQuery {
  readonly language: Language;
  readonly terms: readonly QueryTerm[];
  /** How much each word says, by its stem. */
  readonly rarities: ReadonlyMap<string, number>;
}

export interface WordsFound {
  /** From 0 to 1 for each part: its score divided by the best one of a page, which is at least that of all words. */
  readonly parts: ReadonlyMap<number, number>;
  /** From 0 to 1 for each page. A word counts by the part in which it says most. */
  readonly pages: ReadonlyMap<number, number>;
  /** By the code of the language. */
  readonly queries: ReadonlyMap<string, LanguageQuery>;
  readonly hasWords: boolean;
}

export async function searchWords(snapshot: Snapshot, query: string): Promise<WordsFound> {
  const { words } = snapshot.manifest;
  const [parts, pages] = [new Map<number, number>(), new Map<number, number>()];
  const table = await snapshot.table();
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
      const ofPages = found.map(({ scores }) => bestOfPages(scores, table));
      const most = addScores(pages, ofPages, best);
      addScores(
        parts,
        found.map(({ scores }) => scores),
        most,
      );
    }),
  );
  const hasWords = [...queries.values()].some(({ terms }) => terms.length > 0);
  return { parts, pages, queries, hasWords };
}

/** The words that say something: all of them, if none does. */
function tellingTerms(
  terms: readonly QueryTerm[],
  common: ReadonlySet<string>,
): readonly QueryTerm[] {
  const telling = terms.filter(({ stem }) => !common.has(stem));
  return telling.length > 0 ? telling : terms;
}

/** What a word counts in each page. */
function bestOfPages(parts: ReadonlyMap<number, number>, table: PageTable): Map<number, number> {
  const pages = new Map<number, number>();
  for (const [part, score] of parts) {
    const page = table.pageOf(part);
    pages.set(page, Math.max(pages.get(page) ?? 0, score));
  }
  return pages;
}

/**
 * Adds the sums of the words' scores, divided by the best sum, which is at least `best`. Returns it. The parts and pages of a
 * language are in no other one.
 */
function addScores(
  all: Map<number, number>,
  ofWords: readonly ReadonlyMap<number, number>[],
  best: number,
): number {
  const sums = new Map<number, number>();
  for (const scores of ofWords) {
    for (const [place, score] of scores) {
      sums.set(place, (sums.get(place) ?? 0) + score);
    }
  }
  let most = best;
  for (const score of sums.values()) {
    most = Math.max(most, score);
  }
  for (const [place, score] of sums) {
    all.set(place, score / most);
  }
  return most;
}
