// How scores of words and of meaning make one. The weights were chosen with the Rust book and measured with other sites:
// tests/bench/site-search/quality.

/** What the words say of a page or a passage. Each is from 0 to 1; what is not known is left out. */
interface WordEvidence {
  /** By BM25, as a share of what a page with all words of the query would get. */
  readonly words?: number;
  /** The share of the query's words in the best passage, by how much they say. */
  readonly share?: number;
  /** How much the best heading and the query have in common. */
  readonly heading?: number;
  readonly title?: number;
}

const weights: Readonly<Required<WordEvidence>> = {
  words: 0.5,
  share: 0.2,
  heading: 0.4,
  title: 0.2,
};
/** What a cosine adds for each standard deviation above the mean of the site. Ranks would add more: pages of which the
 *  words are sure would change places. */
const ofDeviation = 0.05;
/** Without a model cosines are those of parts, and not of passages, and come from signs of numbers. */
const withoutModel = 0.7;
const ofIdentifier = 0.2;

/** How the cosines of a site are spread. */
export interface Spread {
  readonly meanCosine: number;
  readonly deviation: number;
  /** What the meaning of this query counts, beside one that counts wholly. */
  readonly weight: number;
}

/** `vec::drain_filter`, `os.popen()`, `getUserById`. */
const identifier =
  /^(?:[\p{Ll}\p{N}]+(?=\p{Lu})|[\p{L}\p{N}]+(?:::|[._#/]))[\p{L}\p{N}:._#/]*[\p{L}\p{N}](?:\(\))?\s*$/u;

/** What the meaning of a query counts. A name in a program, such as `vec::drain_filter`, means little beside itself. */
export const meaningWeight = (query: string, hasModel: boolean): number =>
  (hasModel ? 1 : withoutModel) * (identifier.test(query) ? ofIdentifier : 1);

/** From 0 to 1: the mean by weight. */
export function wordScore(evidence: WordEvidence): number {
  let [sum, all] = [0, 0];
  for (const name of Object.keys(evidence) as (keyof WordEvidence)[]) {
    sum += weights[name] * (evidence[name] ?? 0);
    all += weights[name];
  }
  return all > 0 ? sum / all : 0;
}

/** The score of the words, and what the meaning adds to it: 0 or more. It may be above 1, so that pages with all words keep their
 *  order. */
export function hybridScore(words: number, cosine: number, spread: Spread): number {
  const deviations = (cosine - spread.meanCosine) / spread.deviation;
  return Math.max(0, words + ofDeviation * spread.weight * deviations);
}

interface PassageEvidence {
  readonly share: number;
  /** How many of its words are of the query. */
  readonly count: number;
  /** How much of the query stands together in it. */
  readonly together: number;
  /** How much its heading and the query have in common. */
  readonly heading: number;
  readonly cosine: number | undefined;
}

/** By this the passages of one page are compared. Each has few of the words, so the meaning says more here. */
export function passageScore(
  { share, count, together, heading, cosine }: PassageEvidence,
  { meanCosine, deviation, weight }: Spread,
): number {
  const words = share + 0.6 * together + 0.2 * heading + (0.1 * count) / (count + 8);
  const near = cosine === undefined ? 0 : 0.1 * weight * ((cosine - meanCosine) / deviation);
  return Math.max(0, words + near);
}

/** Pages whose name is the query are before all others: their scores are above this. */
const namedFrom = 0.95;

/** The score of a page whose name says so much of the query. Both are from 0 to 1. */
export function named(score: number, name: number): number {
  if (name === 0) {
    return namedFrom * score;
  }
  return namedFrom + (1 - namedFrom) * (0.8 * name + 0.2 * score);
}
