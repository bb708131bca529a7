// Headings stand for what readers search. They show which cosines are near, and how many lists hold the nearest passages.
import { dot } from '../shared/dot.ts';

const mostQueries = 200;
const mostCompared = 512;
const ofPage = 4;
const leastLength = 4;
/** 14 of 15 questions to the Rust book in other words than its own were above this, and 4 of 15 on other subjects. */
const closeDeviations = 2;
/** This share of the headings has a passage that is close. */
const closeShare = 0.95;

/** Something of a page, by the page's number. */
interface OfPage<T> {
  readonly item: T;
  readonly page: number;
}

/** Headings and rows of a site, some of each page, so that a huge page does not stand for all. */
export class SiteSample {
  readonly #headings = new Map<string, number>();
  readonly #rows: OfPage<number>[] = [];
  #page = -1;
  #left = { headings: 0, rows: 0 };

  nextPage(): void {
    this.#page++;
    this.#left = { headings: ofPage, rows: ofPage };
  }

  /** Each heading counts once. */
  addHeading(heading: string): void {
    if (heading.length < leastLength || this.#headings.has(heading)) {
      return;
    }
    if (this.#left.headings-- > 0) {
      this.#headings.set(heading, this.#page);
    }
  }

  addRow(row: number): void {
    if (this.#left.rows-- > 0) {
      this.#rows.push({ item: row, page: this.#page });
    }
  }

  headings(): OfPage<string>[] {
    const all = [...this.#headings].map(([item, page]) => ({ item, page }));
    return spread(all, mostQueries);
  }

  rows(): OfPage<number>[] {
    return spread(this.#rows, mostCompared);
  }
}

/** Items in even distances. */
function spread<T>(all: readonly T[], most: number): T[] {
  const count = Math.min(most, all.length);
  return Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)] as T);
}

/** The rows with the highest products, the best first. */
export function bestRows(rows: Float32Array, query: Float32Array, count: number): number[] {
  const dim = query.length;
  const best: { readonly row: number; readonly score: number }[] = [];
  for (let row = 0, at = 0; at < rows.length; row++, at += dim) {
    const score = dot(rows, at, query, 0, dim);
    if (best.length === count && score <= (best.at(-1)?.score ?? 0)) {
      continue;
    }
    const place = best.findIndex((one) => one.score < score);
    best.splice(place < 0 ? best.length : place, 0, { row, score });
    if (best.length > count) {
      best.pop();
    }
  }
  return best.map(({ row }) => row);
}

/** The nearest rows of each heading, the best first. */
export async function nearestRows(
  rows: Float32Array,
  { vectors, pages }: Pick<SampleQueries, 'vectors' | 'pages'>,
  count: number,
  pause: () => Promise<void>,
): Promise<number[][]> {
  const dim = vectors.length / pages.length;
  const nearest: number[][] = [];
  for (let at = 0; at < vectors.length; at += dim) {
    await pause();
    nearest.push(bestRows(rows, vectors.subarray(at, at + dim), count));
  }
  return nearest;
}

/** The default model has about this one on most sites. A site of one page has no other. */
const usualDeviation = 0.1;
/** A site whose pages are all alike has hardly any. */
const leastDeviation = 0.01;

/** What the lists are fitted to. */
export interface SampleQueries {
  /** A row for each heading. */
  readonly vectors: Float32Array;
  /** The page of each heading. */
  readonly pages: readonly number[];
  /** Rows of all pages. */
  readonly compared: readonly OfPage<number>[];
}

/** How near queries and passages of the site are to each other. */
export interface Nearness {
  /** The mean of the cosines of headings and passages of other pages, and their standard deviation. */
  readonly meanCosine: number;
  readonly deviation: number;
  /** The cosine from which a passage is close to a query: so far above the mean, but no more than what nearly all headings
   *  reach. It is 0 for a site of one page. */
  readonly closeFrom: number;
}

/** `nearest` has the nearest rows of each heading. */
export function nearness(
  rows: Float32Array,
  { vectors, pages, compared }: SampleQueries,
  nearest: readonly (readonly number[])[],
): Nearness {
  const dim = vectors.length / pages.length;
  const cosines: number[] = [];
  const reached: number[] = [];
  pages.forEach((page, i) => {
    const query = vectors.subarray(i * dim, (i + 1) * dim);
    for (const { item, page: other } of compared) {
      if (other !== page) {
        cosines.push(dot(rows, item * dim, query, 0, dim));
      }
    }
    const best = nearest[i]?.[0] ?? 0;
    reached.push(dot(rows, best * dim, query, 0, dim));
  });
  if (cosines.length === 0) {
    return { meanCosine: 0, deviation: usualDeviation, closeFrom: 0 };
  }
  const mean = cosines.reduce((sum, value) => sum + value, 0) / cosines.length;
  const variance = cosines.reduce((sum, value) => sum + (value - mean) ** 2, 0) / cosines.length;
  const deviation = Math.sqrt(variance);
  const high = mean + closeDeviations * deviation;
  const usual = reached.sort((a, b) => b - a)[Math.floor(closeShare * reached.length)] ?? high;
  return {
    meanCosine: rounded(mean),
    deviation: Math.max(leastDeviation, rounded(deviation)),
    closeFrom: rounded(Math.min(high, usual)),
  };
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
