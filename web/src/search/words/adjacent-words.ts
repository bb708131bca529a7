// Raises the scores of passages where words of the query stand side by side, as they do in the query.
import { bm25, type Found, rarityOf } from './word-table.ts';

/** How many of the best passages are read for this. */
const mostRead = 100;
/** What a pair of words counts beside a word. */
const pairWeight = 0.2;

/**
 * Adds the BM25 score of the query's pairs of words. An index of all pairs would be several times as large as that of the
 * words, so the pairs are counted in the best passages only. `termsOf` has the stems of a passage in their order, and
 * `size` is the number of all passages.
 */
export function withAdjacentWords(
  found: readonly Found[],
  query: readonly string[],
  termsOf: (id: number) => readonly string[],
  size: number,
): Found[] {
  const pairs = pairsOf(query);
  const sorted = [...found].sort((a, b) => b.score - a.score || a.id - b.id);
  if (pairs.size === 0) {
    return sorted;
  }
  const read = sorted.slice(0, mostRead).map((one) => ({ ...one, terms: termsOf(one.id) }));
  const counts = read.map(({ terms }) => countsOf(terms, pairs));
  const rarities = raritiesOf(pairs, counts, size);
  const length = read.reduce((sum, { terms }) => sum + terms.length, 0) / read.length;
  const scored = read.map(({ terms, ...one }, i) => {
    const damping = bm25.k * (1 - bm25.b + (bm25.b * terms.length) / length);
    let { score } = one;
    for (const [pair, count] of counts[i] ?? []) {
      const rarity = rarities.get(pair) ?? 0;
      score += (pairWeight * rarity * count * (bm25.k + 1)) / (count + damping);
    }
    return { ...one, score };
  });
  return [...scored, ...sorted.slice(mostRead)];
}

/** Two terms with a space between, which no term has. */
function pairsOf(terms: readonly string[]): Set<string> {
  return new Set(terms.slice(1).map((term, i) => `${terms[i]} ${term}`));
}

/** How much each pair says: more if few of the passages have it. */
function raritiesOf(
  pairs: ReadonlySet<string>,
  counts: readonly ReadonlyMap<string, number>[],
  size: number,
): Map<string, number> {
  const rarity = (pair: string) => {
    const holders = counts.filter((others) => others.has(pair)).length;
    return rarityOf(holders, size);
  };
  return new Map([...pairs].map((pair) => [pair, rarity(pair)]));
}

/** How often a passage has each of the pairs that it has. */
function countsOf(terms: readonly string[], pairs: ReadonlySet<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (let i = 1; i < terms.length; i++) {
    const pair = `${terms[i - 1]} ${terms[i]}`;
    if (pairs.has(pair)) {
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
  }
  return counts;
}
