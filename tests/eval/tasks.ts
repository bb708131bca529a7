// What a model is asked in the evaluation. Everything goes through the package, as users have it.
import type { Encoder, SearchIndex, WordVectors } from '../../web/src/index.ts';
import { ambry } from '../web/support/package.ts';
import { readBanking, readSts, readTldr, readWordSet, type ScoredPair } from './data.ts';
import { dot, type Found, found, spearman, Vectors } from './measures.ts';

/** How passages are ranked: by meaning, by words (BM25), or by both. */
export type Ranking = 'meaning' | 'words' | 'both';

/** Unit vectors of texts, by the package or by the command line. */
export type Embed = (texts: readonly string[]) => Promise<Vectors>;

export function embedderOf(model: Encoder | WordVectors): Embed {
  return async (texts) =>
    new Vectors(await model.embed(texts, { as: 'matrix', normalize: true }), texts.length);
}

/** How the cosines of pairs agree with what people said. */
async function agreement(embed: Embed, pairs: readonly ScoredPair[]): Promise<number> {
  const texts = [...pairs.map((pair) => pair.a), ...pairs.map((pair) => pair.b)];
  const vectors = await embed(texts);
  const cosines = pairs.map((_, i) => dot(vectors.row(i), vectors.row(pairs.length + i)));
  return spearman(
    cosines,
    pairs.map((pair) => pair.score),
  );
}

/** Undefined where that half of the benchmark is not there. */
export async function stsScore(embed: Embed, half: 'dev' | 'test'): Promise<number | undefined> {
  const pairs = await readSts(half);
  return pairs && agreement(embed, pairs);
}

export async function wordScore(embed: Embed, set: string): Promise<number> {
  return agreement(embed, await readWordSet(set));
}

/** A page is found at the rank that its score gives it: only better ones come before it. */
async function tldrFound(
  index: SearchIndex,
  queries: Awaited<ReturnType<typeof readTldr>>['queries'],
  ranking: Ranking,
): Promise<Found> {
  const hybrid = { meaning: false, words: 1, both: true }[ranking];
  const ranks: number[] = [];
  for (const { query, relevant } of queries) {
    const hits = await index.search(query, { k: 10, hybrid });
    const answer = hits.find((hit) => hit.id === relevant);
    const better = hits.filter((hit) => answer && hit.score > answer.score);
    ranks.push(answer ? 1 + better.length : Number.POSITIVE_INFINITY);
  }
  return found(ranks);
}

/** One index answers for all of the rankings. */
export async function tldrScores<R extends Ranking>(
  model: Encoder | WordVectors,
  ...rankings: readonly R[]
): Promise<Record<R, Found>> {
  const { docs, queries } = await readTldr();
  await using index = await ambry.createIndex(model, docs);
  const scores: Partial<Record<R, Found>> = {};
  for (const ranking of rankings) {
    scores[ranking] = await tldrFound(index, queries, ranking);
  }
  return scores as Record<R, Found>;
}

/** The unit vector in the middle of each label's texts. */
function centroids(vectors: Vectors, rows: readonly (readonly [number, string])[]) {
  const sums = new Map<string, Float32Array>();
  for (const [row, label] of rows) {
    const sum = sums.get(label) ?? new Float32Array(vectors.dim);
    vectors.row(row).forEach((value, i) => {
      sum[i] = (sum[i] ?? 0) + value;
    });
    sums.set(label, sum);
  }
  const unit = (sum: Float32Array) => sum.map((value) => value / Math.sqrt(dot(sum, sum)));
  return [...sums].map(([label, sum]) => ({ label, vector: unit(sum) }));
}

/** Intents of every second question, told by the nearest of the others' centroids. */
export async function bankingAccuracy(embed: Embed): Promise<number> {
  const questions = await readBanking();
  const vectors = await embed(questions.map(({ text }) => text));
  const numbered = questions.map(({ label }, i) => [i, label] as const);
  const known = centroids(
    vectors,
    numbered.filter(([i]) => i % 2 === 0),
  );
  const asked = numbered.filter(([i]) => i % 2 === 1);
  const right = asked.filter(([i, label]) => {
    const vector = vectors.row(i);
    let best = { label: '', score: Number.NEGATIVE_INFINITY };
    for (const one of known) {
      const score = dot(vector, one.vector);
      if (score > best.score) {
        best = { label: one.label, score };
      }
    }
    return best.label === label;
  });
  return right.length / asked.length;
}
