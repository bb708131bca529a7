// Joins what words and meaning have found, by page.
import type { PageTable } from '../shared/page-table.ts';
import type { PartFilter } from './filters.ts';
import type { NearPassage } from './meaning-search.ts';

/** Of each page, so many parts are read. */
const partsOfPage = 2;

export interface Candidate {
  readonly part: number;
  /** From 0 to 1; 0 if the part has no word of the query. */
  readonly words: number;
  /** Of its nearest passage, as far as it was read. */
  readonly cosine: number | undefined;
  /** The score by which candidates are chosen. Pages are sorted by a better one, once their texts are there. */
  readonly estimate: number;
}

/** The parts of a page that were found, the best first. */
export interface PageCandidate {
  readonly page: number;
  readonly parts: readonly Candidate[];
}

/** Words and meaning count the same. */
export function scoreOf(words: number, cosine: number | undefined, byMeaning: boolean): number {
  return byMeaning ? (words + (cosine ?? 0)) / 2 : words;
}

export function candidatesOf(
  words: ReadonlyMap<number, number>,
  near: readonly NearPassage[] | undefined,
  filter: PartFilter,
): Candidate[] {
  const cosines = new Map<number, number>();
  for (const { part, cosine } of near ?? []) {
    cosines.set(part, Math.max(cosines.get(part) ?? cosine, cosine));
  }
  // Passages that were not read are hardly nearer than the last one that was.
  const floor = near?.at(-1)?.cosine ?? 0;
  const parts = new Set([...words.keys(), ...cosines.keys()]);
  return [...parts]
    .filter((part) => filter.allows(part))
    .map((part) => {
      const [score, cosine] = [words.get(part) ?? 0, cosines.get(part)];
      const estimate = scoreOf(score, cosine ?? floor, near !== undefined);
      return { part, words: score, cosine, estimate };
    });
}

/** The best pages, the best first. */
export function bestPages(
  candidates: readonly Candidate[],
  table: PageTable,
  count: number,
): PageCandidate[] {
  const pages = new Map<number, Candidate[]>();
  const sorted = candidates.toSorted((a, b) => b.estimate - a.estimate || a.part - b.part);
  for (const candidate of sorted) {
    const page = table.pageOf(candidate.part);
    const parts = pages.get(page);
    if (!parts && pages.size === count) continue;
    if (!parts) pages.set(page, [candidate]);
    else if (parts.length < partsOfPage) parts.push(candidate);
  }
  return [...pages].map(([page, parts]) => ({ page, parts }));
}
