// Finds the parts of pages that have words of the query, by BM25.
import type { PageTable } from '../../shared/page-table.ts';
import { rarityOf } from '../../shared/postings.ts';
import { type Language, languageOf } from '../../shared/stems.ts';
import { queryWords } from '../../shared/terms.ts';
import { noStem } from '../../shared/word-shard.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { correctedQuery, correctWords } from './corrections.ts';
import { type QueryTerm, termsOf } from './query.ts';
import { lookUp, type TermScores } from './word-lookup.ts';

/** The query in one language. */
export interface LanguageQuery {
  readonly language: Language;
  readonly terms: readonly QueryTerm[];
  /** The terms without the beginnings that are words themselves. */
  readonly whole: readonly QueryTerm[];
  /** How much each word says, by its stem. */
  readonly rarities: ReadonlyMap<string, number>;
  /** Whether a word says something: no function word, and none that most parts of the site have. */
  readonly isTelling: (word: string) => boolean;
  /** The function word that is before a word, such as `every` of `every hour`, by the stem of the other one. Those that most parts
   *  have are not here. */
  readonly before: ReadonlyMap<string, string>;
}

/** Function words that are names in programs. One of them alone is searched. */
const keywords = new Set(
  'all and any as do each else for from if in is not or this where while with'.split(' '),
);

/** A page must have words that say so much of what all words of the query say. "How" alone does not find pages on how to
 *  bake bread. */
const leastCoverage = 0.15;

/** Letters of languages that join particles to words, or write no spaces. A word that is missing may be a form or a piece of one
 *  that is there, so it says no more than those do. */
const hasJoined =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Arab}\p{sc=Hebr}]/u;

/** Among fewer parts, a word that none has says no more than one that a single part has. */
const smallSite = 100;

/** A long page has the words of most queries somewhere. Twice as many parts take so much of its score. */
const ofLength = 0.04;
/** What the words in the best part count, beside those that are anywhere in the page. */
const ofOnePart = 0.35;

export interface WordsFound {
  /** From 0 to 1 for each part: its score divided by the best one of a page, which is at least that of all words. */
  readonly parts: ReadonlyMap<number, number>;
  /** From 0 to 1 for each page. For one part of it these are the words of the best part, for the other a word counts by the part in which it
   *  says most. */
  readonly pages: ReadonlyMap<number, number>;
  /** By the code of the language. */
  readonly queries: ReadonlyMap<string, LanguageQuery>;
  readonly hasWords: boolean;
  /** Whether the last word is only the beginning of words. */
  readonly isOpen: boolean;
  /** The words that no page has, and that are not corrected. */
  readonly unknown: readonly string[];
  /** From 0 to 1: how much of what all words say is in one page. */
  readonly coverage: number;
  /** The parts with all words of the phrases, if there are phrases. */
  readonly withPhrases: ReadonlySet<number> | undefined;
  /** The query with near words of the site in place of those that no page has. */
  readonly corrected: string | undefined;
}

/** The words of a query in one language, and what each counts; undefined for a word that no part has. */
export interface LookedUp extends Pick<LanguageQuery, 'language' | 'isTelling' | 'before'> {
  readonly terms: QueryTerm[];
  readonly scores: (TermScores | undefined)[];
}

export async function searchWords(
  snapshot: Snapshot,
  query: string,
  phrases: readonly (readonly string[])[],
): Promise<WordsFound> {
  const codes = Object.keys(snapshot.manifest.words.parts);
  const looked = await Promise.all(codes.map((code) => lookUpAll(snapshot, code, query)));
  const kept = withoutPieces(looked);
  const corrections = await correctWords(snapshot, kept);
  const [parts, pages] = [new Map<number, number>(), new Map<number, number>()];
  const table = await snapshot.table();
  const queries = new Map<string, LanguageQuery>();
  let coverage = 0;
  for (const { language, terms, scores, isTelling, before } of kept) {
    const found = scores.filter((one) => one !== undefined);
    const rarities = new Map(found.map(({ stem, rarity }) => [stem, rarity]));
    const whole = terms.map((term, i) =>
      scores[i]?.isWhole ? { ...term, prefix: undefined } : term,
    );
    const { code } = language;
    queries.set(code, { language, terms, whole, rarities, isTelling, before });
    // A part with few of the words is no perfect one, even if no part has more.
    const inLanguage = snapshot.manifest.words.parts[code] ?? 0;
    const known = found.reduce((sum, { rarity }) => sum + rarity, 0);
    const most = rarityOf(inLanguage < smallSite ? 1 : 0, inLanguage);
    const missing = terms.filter((_, i) => !scores[i]);
    const best = missing.reduce(
      (sum, { word }) =>
        sum + (hasJoined.test(word) ? Math.min(most, known / Math.max(1, found.length)) : most),
      known,
    );
    const ofPages = found.map((one) => bestOfPages(one.scores, table));
    const sums = raritiesOf(ofPages, found);
    const covered = new Set(
      [...sums].filter(([, sum]) => sum >= leastCoverage * best).map(([page]) => page),
    );
    for (const sum of sums.values()) {
      coverage = Math.max(coverage, sum / best);
    }
    const top = addScores(pages, ofPages, best, (page) => covered.has(page));
    const ofParts = found.map((one) => one.scores);
    addScores(parts, ofParts, top, (part) => covered.has(table.pageOf(part)));
  }
  const inOnePart = bestOfPages(parts, table);
  for (const [page, score] of pages) {
    const both = (1 - ofOnePart) * score + ofOnePart * (inOnePart.get(page) ?? 0);
    pages.set(page, both / (1 + ofLength * Math.log2(table.partsOf(page))));
  }
  return {
    parts,
    pages,
    queries,
    isOpen: isOpen(kept),
    unknown: unknownIn(kept),
    hasWords: queryWords(query).length > 0,
    coverage,
    withPhrases: partsWithPhrases(kept, phrases),
    corrected: correctedQuery(query, corrections),
  };
}

async function lookUpAll(snapshot: Snapshot, code: string, query: string): Promise<LookedUp> {
  const language = await languageOf(code);
  const common = new Set(snapshot.manifest.words.common[code]);
  const little = new Set(snapshot.manifest.words.little[code]);
  const all = termsOf(query, language);
  const isLittle = (word: string) => little.has(language.fold(word));
  const saying = withoutLittle(all, isLittle);
  const terms = [...tellingTerms(saying, common)];
  const scores = await Promise.all(terms.map((term) => lookUp(snapshot, code, term)));
  const isCommon = (word: string) => common.has(language.stem(word));
  const isTelling = (word: string) => !isLittle(word) && !isCommon(word);
  const before = new Map(
    all.flatMap(({ stem }, i) => {
      const { word = '' } = all[i - 1] ?? {};
      return isLittle(word) && !isCommon(word) ? [[stem, language.fold(word)] as const] : [];
    }),
  );
  return { language, terms, scores, isTelling, before };
}

/** Whether the last word may be incomplete, and no page has it as it is. */
function isOpen(looked: readonly LookedUp[]): boolean {
  const last = looked.flatMap(({ terms, scores }) =>
    terms.flatMap(({ prefix }, i) => (prefix === undefined ? [] : [scores[i]])),
  );
  return last.length > 0 && !last.some((one) => one?.isWhole);
}

function unknownIn(looked: readonly LookedUp[]): string[] {
  const [known, all] = [new Set<string>(), new Set<string>()];
  for (const { terms, scores } of looked) {
    terms.forEach(({ word }, i) => {
      (scores[i] ? known : all).add(word);
    });
  }
  return [...all].filter((word) => !known.has(word));
}

/** A joined word such as `1.2.3` counts in the place of its pieces, if the site has it in any language. */
function withoutPieces(looked: readonly LookedUp[]): LookedUp[] {
  const isFound = (stem: string | undefined) =>
    looked.some(({ terms, scores }) => terms.some((term, i) => term.stem === stem && scores[i]));
  return looked.map((one) => {
    const { terms, scores } = one;
    const isKept = ({ stem, whole, isLoose, isJoined }: QueryTerm) =>
      isJoined ? isFound(stem) : !isFound(whole) || (isLoose && isFound(stem));
    return {
      ...one,
      terms: terms.filter(isKept),
      scores: scores.filter((_, i) => isKept(terms[i] as QueryTerm)),
    };
  });
}

/** Words that most parts have are not asked for. */
function partsWithPhrases(
  looked: readonly LookedUp[],
  phrases: readonly (readonly string[])[],
): ReadonlySet<number> | undefined {
  if (phrases.length === 0) {
    return undefined;
  }
  const found = new Set<number>();
  for (const { language, terms, scores } of looked) {
    const stems = new Set(phrases.flat().map((word) => language.stem(word)));
    const wanted = scores.filter((_, i) => terms[i]?.isJoined || stems.has(terms[i]?.stem ?? ''));
    for (const part of wanted[0]?.scores.keys() ?? []) {
      if (wanted.every((one) => one?.scores.has(part))) {
        found.add(part);
      }
    }
  }
  return found;
}

/** The words that are no function words, or one that is the name of something in programs. One alone that may be incomplete is
 *  the beginning of other words. */
function withoutLittle(
  terms: readonly QueryTerm[],
  isLittle: (word: string) => boolean,
): readonly QueryTerm[] {
  const [first, ...rest] = terms;
  if (first && rest.length === 0 && isLittle(first.word)) {
    if (keywords.has(first.word)) {
      return terms;
    }
    return first.prefix === undefined ? [] : [{ ...first, stem: noStem }];
  }
  return terms.filter(({ word }) => !isLittle(word));
}

/** The words that say something: all of them, if none does. */
function tellingTerms(
  terms: readonly QueryTerm[],
  common: ReadonlySet<string>,
): readonly QueryTerm[] {
  const telling = terms.filter(({ stem }) => !common.has(stem));
  return telling.length > 0 ? telling : terms;
}

/** The best score of the parts of each page. */
function bestOfPages(parts: ReadonlyMap<number, number>, table: PageTable): Map<number, number> {
  const pages = new Map<number, number>();
  for (const [part, score] of parts) {
    const page = table.pageOf(part);
    pages.set(page, Math.max(pages.get(page) ?? 0, score));
  }
  return pages;
}

/** How much the words of each page say together. */
function raritiesOf(
  ofPages: readonly ReadonlyMap<number, number>[],
  words: readonly { readonly rarity: number }[],
): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  ofPages.forEach((pages, i) => {
    for (const page of pages.keys()) {
      sums.set(page, (sums.get(page) ?? 0) + (words[i]?.rarity ?? 0));
    }
  });
  return sums;
}

/**
 * Adds the sums of the words' scores, divided by the best sum, which is at least `best`. Returns it. The parts and pages of a
 * language are in no other one.
 */
function addScores(
  all: Map<number, number>,
  ofWords: readonly ReadonlyMap<number, number>[],
  best: number,
  isKept: (place: number) => boolean,
): number {
  const sums = new Map<number, number>();
  for (const scores of ofWords) {
    for (const [place, score] of scores) {
      if (isKept(place)) {
        sums.set(place, (sums.get(place) ?? 0) + score);
      }
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
