// Turns the texts of the best pages into what the reader sees.

import { dot } from '../shared/dot.ts';
import { passageText } from '../shared/part-text.ts';
import { scoreOf } from './candidates.ts';
import { excerptOf, matchesIn } from './excerpts.ts';
import type { LoadedPage, LoadedPart } from './load-texts.ts';
import { matcherOf } from './query.ts';
import type { PageHit, SectionHit } from './types.ts';
import type { LanguageQuery } from './word-search.ts';

const sectionsOfPage = 3;

export interface HitOptions {
  readonly queries: ReadonlyMap<string, LanguageQuery>;
  /** The vector of the query, if meaning counts. */
  readonly query: Float32Array | undefined;
  readonly excerptLength: number;
  readonly urlOf: (path: string) => string;
}

interface PassageHit {
  readonly anchor: string;
  readonly heading: string;
  readonly text: string;
  readonly score: number;
  readonly cosine: number | undefined;
  readonly isMatch: (word: string) => boolean;
}

/** The page with its best passages. */
export function pageHit({ parts }: LoadedPage, options: HitOptions): PageHit {
  const { query, excerptLength, urlOf } = options;
  const byMeaning = query !== undefined;
  const passages = parts.flatMap((part) => passageHits(part, options));
  passages.sort((a, b) => b.score - a.score);
  const cosines = passages.flatMap(({ cosine }) => (cosine === undefined ? [] : [cosine]));
  const cosine = cosines.length > 0 ? Math.max(...cosines) : undefined;
  const words = Math.max(...parts.map((part) => part.words));
  const [first] = parts as [LoadedPart, ...LoadedPart[]];
  const { url, title, description, language, filters } = first.text;
  const excerpt = (hit: PassageHit) =>
    excerptOf(hit.text, matchesIn(hit.text, hit.isMatch), excerptLength);
  const sections = bestOfEach(passages).map(
    (hit): SectionHit => ({
      url: urlOf(url) + (hit.anchor === '' ? '' : `#${encodeURIComponent(hit.anchor)}`),
      heading: hit.heading || title,
      score: hit.score,
      excerpt: excerpt(hit),
    }),
  );
  return {
    url: urlOf(url),
    title,
    ...(description && { description }),
    language,
    filters,
    score: scoreOf(words, cosine, byMeaning),
    ...(cosine !== undefined && { cosine }),
    excerpt: sections[0]?.excerpt ?? emptyExcerpt,
    sections,
  };
}

const emptyExcerpt = { text: '', highlights: [], isCutBefore: false, isCutAfter: false } as const;

function passageHits({ text, vectors }: LoadedPart, { queries, query }: HitOptions): PassageHit[] {
  const asked = queries.get(text.language);
  const stemOf = asked ? matcherOf(asked.terms, asked.language) : () => undefined;
  const isMatch = (word: string) => stemOf(word) !== undefined;
  return text.passages.map((place, i) => {
    const section = text.sections[place[0]] as (typeof text.sections)[number];
    const cosine =
      query && vectors ? dot(vectors, i * query.length, query, 0, query.length) : undefined;
    const own = passageText(text.title, section, place);
    const words = asked ? wordShare(own, stemOf, asked.rarities) : 0;
    return {
      anchor: section.anchor,
      heading: section.heading,
      text: section.text.slice(place[1], place[2]),
      score: scoreOf(words, cosine, query !== undefined),
      cosine,
      isMatch,
    };
  });
}

/** From 0 to 1: how much of what the query's words say is in the text. */
function wordShare(
  text: string,
  stemOf: (word: string) => string | undefined,
  rarities: ReadonlyMap<string, number>,
): number {
  const found = new Set<string>();
  matchesIn(text, (word) => {
    const stem = stemOf(word);
    if (stem !== undefined) found.add(stem);
    return false;
  });
  let [own, all] = [0, 0];
  for (const [stem, rarity] of rarities) {
    all += rarity;
    if (found.has(stem)) own += rarity;
  }
  return all > 0 ? own / all : 0;
}

/** The best passage of each section. The passages are sorted. */
function bestOfEach(passages: readonly PassageHit[]): PassageHit[] {
  const best = new Map<string, PassageHit>();
  for (const hit of passages) {
    const key = `${hit.anchor}\n${hit.heading}`;
    if (!best.has(key) && (hit.score > 0 || best.size === 0)) best.set(key, hit);
    if (best.size === sectionsOfPage) break;
  }
  return [...best.values()];
}
