// Turns the texts of the best pages into what the reader sees.

import { dot } from '../shared/dot.ts';
import { passageText } from '../shared/part-text.ts';
import { passageTerms } from '../shared/terms.ts';
import type { PageHit, SectionHit } from './base/types.ts';
import { excerptOf, matchesIn } from './excerpts.ts';
import type { LoadedPage, LoadedPart } from './load-texts.ts';
import { hybridScore, passageScore, type Spread, wordScore } from './scores.ts';
import { matcherOf } from './words/query.ts';
import type { LanguageQuery } from './words/word-search.ts';

const sectionsOfPage = 3;

interface HitOptions {
  readonly queries: ReadonlyMap<string, LanguageQuery>;
  /** The vector of the query, if meaning counts. */
  readonly query: Float32Array | undefined;
  readonly excerptLength: number;
  readonly urlOf: (path: string) => string;
  readonly spread: Spread;
}

interface PassageHit {
  readonly anchor: string;
  readonly heading: string;
  readonly text: string;
  readonly score: number;
  /** The share of the query's words, by how much they say. */
  readonly share: number;
  readonly cosine: number | undefined;
  readonly isMatch: (word: string) => boolean;
}

/** The page with its best passages. `words` is its score by words, if they count. */
export function pageHit(
  { parts }: LoadedPage,
  words: number | undefined,
  options: HitOptions,
): PageHit {
  const { excerptLength, urlOf } = options;
  const passages = parts.flatMap((part) => passageHits(part, options));
  passages.sort((a, b) => b.score - a.score);
  const cosines = passages.flatMap(({ cosine }) => (cosine === undefined ? [] : [cosine]));
  const cosine = cosines.length > 0 ? Math.max(...cosines) : undefined;
  const share = passages.reduce((most, passage) => Math.max(most, passage.share), 0);
  const [first] = parts as [LoadedPart, ...LoadedPart[]];
  const { url, title, description, language, filters } = first.text;
  const excerpt = (hit: PassageHit) =>
    excerptOf(hit.text, matchesIn(hit.text, hit.isMatch), excerptLength);
  const sections = bestOfEach(passages).map(
    (hit): SectionHit => ({
      url: urlOf(url) + (hit.anchor === '' ? '' : `#${encodeURIComponent(hit.anchor)}`),
      heading: hit.heading || title,
      score: Math.min(1, hit.score),
      excerpt: excerpt(hit),
    }),
  );
  return {
    url: urlOf(url),
    title,
    ...(description && { description }),
    language,
    filters,
    score: scoreOf(
      words === undefined ? undefined : wordScore({ words, share, ...namesOf(parts, options) }),
      cosine,
      options.spread,
    ),
    ...(cosine !== undefined && { cosine }),
    excerpt: sections[0]?.excerpt ?? emptyExcerpt,
    sections,
  };
}

/** By words, by meaning, or by both. */
function scoreOf(words: number | undefined, cosine: number | undefined, spread: Spread): number {
  if (words === undefined) {
    return Math.max(0, cosine ?? 0);
  }
  return cosine === undefined ? words : hybridScore(words, cosine, spread);
}

/**
 * How much the title and the best heading have in common with the query. A short name that has one of its words says little:
 * the square keeps it from counting as much as a name with all of them.
 */
function namesOf(
  parts: readonly LoadedPart[],
  { queries }: HitOptions,
): { readonly title: number; readonly heading: number } {
  const [{ text }] = parts as [LoadedPart, ...LoadedPart[]];
  const asked = queries.get(text.language);
  if (!asked) {
    return { title: 0, heading: 0 };
  }
  const stemOf = matcherOf(asked.whole, asked.language);
  const common = (name: string, isTelling?: (word: string) => boolean): number => {
    const { share, density } = overlapOf(name, stemOf, asked, isTelling);
    return share ** 2 * density;
  };
  const headings = parts.flatMap((part) => part.text.sections.map(({ heading }) => heading));
  const heading = headings.reduce((most, one) => Math.max(most, common(one)), 0);
  return { title: common(text.title, asked.isTelling), heading };
}

const emptyExcerpt = { text: '', highlights: [], isCutBefore: false, isCutAfter: false } as const;

function passageHits(
  { text, vectors, cosine: cosineOfPart }: LoadedPart,
  { queries, query, spread }: HitOptions,
): PassageHit[] {
  const asked = queries.get(text.language);
  const stemOf = asked ? matcherOf(asked.whole, asked.language) : () => undefined;
  const begins = asked ? matcherOf(asked.terms, asked.language) : () => undefined;
  const isMatch = (word: string) => begins(word) !== undefined;
  return text.passages.map((place, i) => {
    const section = text.sections[place[0]] as (typeof text.sections)[number];
    const cosine =
      query && vectors ? dot(vectors, i * query.length, query, 0, query.length) : cosineOfPart;
    const own = passageText(text.title, section, place);
    const overlap = (words: string, of = stemOf) =>
      asked ? overlapOf(words, of, asked) : noOverlap;
    const { share, together } = overlap(own);
    const { count } = overlap(own, begins);
    const heading = overlap(section.heading);
    return {
      anchor: section.anchor,
      heading: section.heading,
      text: section.text.slice(place[1], place[2]),
      score: passageScore(
        { share, count, together, heading: heading.share * heading.density, cosine },
        spread,
      ),
      share,
      cosine,
      isMatch,
    };
  });
}

interface Overlap {
  /** From 0 to 1: how much of what the query's words say is in the text. */
  readonly share: number;
  /** From 0 to 1: how many of the text's words are of the query. Words that say nothing do not count against it. */
  readonly density: number;
  /** How many words are of the query. */
  readonly count: number;
  /** From 0 to 1: how much of the query stands together in the text, in its order. */
  readonly together: number;
}

const noOverlap: Overlap = { share: 0, density: 0, count: 0, together: 0 };
/** Between neighbours of a query, so many other words may stand less one. */
const mostGap = 2;

function overlapOf(
  text: string,
  stemOf: (word: string) => string | undefined,
  { rarities, before, language }: LanguageQuery,
  isTelling: (word: string) => boolean = () => true,
): Overlap {
  const stems = [...rarities.keys()];
  /** Where each word of the query was last. */
  const places = new Map<string, number>();
  const pairs = new Set<string>();
  const words = passageTerms(text.normalize('NFKC'));
  let [count, others] = [0, 0];
  words.forEach(({ word }, at) => {
    const stem = stemOf(word);
    if (stem === undefined) {
      others += Number(isTelling(word));
      return;
    }
    const last = places.get(stems[stems.indexOf(stem) - 1] ?? '') ?? -mostGap - 1;
    const little = before.get(stem);
    const isAfter = little !== undefined && language.fold(words[at - 1]?.word ?? '') === little;
    if (at - last <= mostGap || isAfter) {
      pairs.add(stem);
    }
    places.set(stem, at);
    count++;
  });
  let [own, all, together] = [0, 0, 0];
  for (const [stem, rarity] of rarities) {
    all += rarity;
    own += places.has(stem) ? rarity : 0;
    together += pairs.has(stem) ? rarity : 0;
  }
  return {
    share: all > 0 ? own / all : 0,
    density: count > 0 ? count / (count + others) : 0,
    count,
    together: all > 0 ? together / all : 0,
  };
}

/** The best passage of each section. The passages are sorted. */
function bestOfEach(passages: readonly PassageHit[]): PassageHit[] {
  const best = new Map<string, PassageHit>();
  for (const hit of passages) {
    const key = `${hit.anchor}\n${hit.heading}`;
    if (!best.has(key) && (hit.score > 0 || best.size === 0)) {
      best.set(key, hit);
    }
    if (best.size === sectionsOfPage) {
      break;
    }
  }
  return [...best.values()];
}
