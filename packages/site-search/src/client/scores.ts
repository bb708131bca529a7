// How scores of words and of meaning make one. The weights were chosen with the Rust book and measured with other sites:
// tests/bench/site-search/quality.

/** What is known of a page or a passage. Each is from 0 to 1; what is not known is left out. */
interface Evidence {
  /** By BM25. */
  readonly words?: number;
  /** The share of the query's words in the best passage, by how much they say. */
  readonly share?: number;
  /** How much the best heading and the query have in common. */
  readonly heading?: number;
  readonly title?: number;
  /** The cosine of the nearest passage. */
  readonly cosine?: number;
}

const weights: Readonly<Required<Evidence>> = {
  words: 0.5,
  share: 0.2,
  heading: 0.4,
  title: 0.2,
  cosine: 1,
};

/** From 0 to 1: the mean by weight. */
export function scoreOf(evidence: Evidence): number {
  let [sum, all] = [0, 0];
  for (const name of Object.keys(evidence) as (keyof Evidence)[]) {
    sum += weights[name] * (evidence[name] ?? 0);
    all += weights[name];
  }
  return all > 0 ? sum / all : 0;
}
