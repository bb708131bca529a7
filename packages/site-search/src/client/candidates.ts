// Joins what words and meaning have found, by page.
import type { PageTable } from '../shared/page-table.ts';
import type { PartFilter } from './filters.ts';
import type { MeaningFound } from './meaning-search.ts';
import { hybridScore, type Spread } from './scores.ts';
import type { NamedPages } from './words/name-search.ts';
import type { WordsFound } from './words/word-search.ts';

/** So many parts of each page are read. */
const partsOfPage = 2;

/** So many of the best pages by words are always read, whatever their meaning. */
const surePages = 5;

export interface Candidate {
  readonly part: number;
  /** From 0 to 1; 0 if the part has no word of the query. */
  readonly words: number;
  /** As far as its code tells, if meaning counts. */
  readonly cosine: number | undefined;
}

/** A page that was found. */
export interface PageCandidate {
  readonly page: number;
  /** From 0 to 1; 0 if the page has no word of the query. */
  readonly words: number;
  /** From 0 to 1: how much the query is a name of the page; 0 if it is none. */
  readonly name: number;
  /** The score by which pages are chosen. They are sorted by a better one, once their texts are there. */
  readonly estimate: number;
  /** The parts that were found, the best first. */
  readonly parts: readonly Candidate[];
}

interface ChoiceOptions {
  readonly filter: PartFilter;
  readonly table: PageTable;
  readonly spread: Spread;
}

/** The best pages that pass the filters, the best first: those with the query as a name, and then the others. `near` is
 *  undefined if meaning does not count. */
export function bestPages(
  words: Pick<WordsFound, 'parts' | 'pages'>,
  named: NamedPages,
  near: MeaningFound | undefined,
  { filter, table, spread }: ChoiceOptions,
  count: number,
): PageCandidate[] {
  const estimate = (score: number, cosine: number | undefined) =>
    cosine === undefined ? score : hybridScore(score, cosine, spread);
  const found = partsByPage(words.parts, named, near, filter, table);
  const pages = [...found].map(([page, parts]) => {
    const cosine = near && Math.max(...parts.map((part) => part.cosine as number));
    const score = words.pages.get(page) ?? 0;
    const name = named.get(page)?.weight ?? 0;
    return { page, words: score, name, estimate: estimate(score, cosine), parts };
  });
  pages.sort((a, b) => b.name - a.name || b.estimate - a.estimate || a.page - b.page);
  const chosen = pages.slice(0, count);
  const byWords = pages.slice(count).sort((a, b) => b.words - a.words || a.page - b.page);
  // Texts tell more of the words than the estimate knows, such as how much of the title they are.
  const worst = chosen.map(({ words: score }) => score).sort((a, b) => b - a)[surePages - 1] ?? 0;
  chosen.push(...byWords.slice(0, surePages).filter(({ words: score }) => score > worst));
  return chosen.map((one) => ({
    ...one,
    parts: one.parts
      .sort(
        (a, b) =>
          isNamed(named, one.page, b) - isNamed(named, one.page, a) ||
          estimate(b.words, b.cosine) - estimate(a.words, a.cosine) ||
          a.part - b.part,
      )
      .slice(0, partsOfPage),
  }));
}

const isNamed = (named: NamedPages, page: number, { part }: Candidate): number =>
  named.get(page)?.part === part ? 1 : 0;

/** The parts that pass the filters, of each page. */
function partsByPage(
  words: ReadonlyMap<number, number>,
  named: NamedPages,
  near: MeaningFound | undefined,
  filter: PartFilter,
  table: PageTable,
): Map<number, Candidate[]> {
  const nearParts = near?.parts.map(({ part }) => part) ?? [];
  const pages = new Map<number, Candidate[]>();
  const withNames = [...named.values()].map(({ part }) => part);
  for (const part of new Set([...words.keys(), ...nearParts, ...withNames])) {
    if (!filter.allows(part)) {
      continue;
    }
    const page = table.pageOf(part);
    const found = { part, words: words.get(part) ?? 0, cosine: near?.cosineOf(part) };
    const others = pages.get(page);
    if (others) {
      others.push(found);
    } else {
      pages.set(page, [found]);
    }
  }
  return pages;
}
