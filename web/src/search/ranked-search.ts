// Searches with words, with sparse vectors beside others, or with a filter. Every row gets a bias that the worker adds to its
// cosine. So the result has
// the best of all passages, and not the best of a shortlist.
import { AmbryError, abortError } from '../base/errors.ts';
import { isSparse } from './base/probe.ts';
import { type Doc, type SearchHit, type SearchOptions, searchDefaults } from './base/types.ts';
import { hitOf, type IndexState } from './index-state.ts';
import type { WordMatch } from './words/passage-words.ts';

interface WordsFound {
  readonly matches: ReadonlyMap<Doc, WordMatch>;
  /** The only passages that may be found, if some have the phrases in quotation marks of the query. */
  readonly quoted: ReadonlySet<Doc> | undefined;
}

/** With a weight of 1, passages without any of the words would have equal scores. That of sparse vectors has the same bound. */
const mostWeight = 0.999;

/** `vectors` are those of the query: one, one for each token, or the pairs of a sparse one. */
export async function rankedSearch(
  state: IndexState,
  query: string,
  vectors: Float32Array,
  options: SearchOptions,
): Promise<SearchHit[]> {
  const { k = searchDefaults.k, filter, signal } = options;
  const weight = weightOf(options, 'hybrid', false);
  const sparseWeight = state.sparse ? weightOf(options, 'sparse', true) : 0;
  // What the cosine keeps of the score.
  const rest = (1 - weight) * (1 - sparseWeight);
  const alone = isSparse(state.model);
  // A score is a sum over the vectors.
  const count = alone ? 1 : vectors.length / state.header.model.dim;
  const words = weight > 0 ? await matchWords(state, query, signal) : undefined;
  const matches = words?.matches;
  const pairs = sparseWeight > 0 ? await sparseQuery(state, query, signal) : undefined;
  const { docs, bias, hits, scale } = await state.inTurn(async () => {
    const { channel, docs } = state;
    const lifts = biasOf(docs, weight / rest, words, filter);
    const search = (k: number, bias: Float32Array, sparse?: SparseQuery) =>
      channel.call('searchRows', { query: vectors, k, bias, sparse }, { signal });
    const scale = alone && matches ? await bestScore(lifts, search) : count;
    const bias = lifts.map((lift) => lift * scale);
    const sparse = pairs && { query: pairs, weight: (scale * sparseWeight) / (1 - sparseWeight) };
    // The call is sent in turn, but its result is awaited outside the turn.
    return { docs, bias, scale, hits: search(k, bias, sparse) };
  });
  return (await hits).map((found) => {
    const hit = hitOf(docs, found, count);
    if (!matches && !pairs) {
      return hit;
    }
    const lift = found.lift ?? bias[found.row] ?? 0;
    const score = (rest * Math.fround(found.score + lift)) / scale;
    return { ...hit, score, ...(matches && { terms: matches.get(hit.doc)?.terms ?? [] }) };
  });
}

type SparseQuery = { readonly query: Float32Array; readonly weight: number };

/** The best score of sparse vectors alone, which have no bound. It stands beside a word score of 1. */
async function bestScore(
  lifts: Float32Array,
  search: (k: number, bias: Float32Array) => Promise<readonly { readonly score: number }[]>,
): Promise<number> {
  const only = lifts.map((lift) => (lift === Number.NEGATIVE_INFINITY ? lift : 0));
  const [best] = await search(1, only);
  return Math.max(best?.score ?? 0, 0) || 1;
}

async function sparseQuery(
  { sparse }: IndexState,
  query: string,
  signal: AbortSignal | undefined,
): Promise<Float32Array | undefined> {
  const { embedQuerySparse } = await import('./base/sparse-vectors.ts');
  return sparse && embedQuerySparse(sparse, query, signal);
}

function weightOf(options: SearchOptions, name: 'hybrid' | 'sparse', absent: boolean): number {
  const given = options[name] ?? absent;
  const weight = Number(given) * (given === true ? 0.5 : 1);
  if (weight >= 0 && weight <= 1) {
    return Math.min(weight, mostWeight);
  }
  const of = name === 'hybrid' ? 'words' : 'sparse vectors';
  throw new AmbryError('BadValue', `The weight of ${of} is from 0 to 1, not ${given}.`, {
    path: `options.${name}`,
  });
}

function biasOf(
  docs: readonly Doc[],
  factor: number,
  words: WordsFound | undefined,
  filter: ((doc: Doc) => boolean) | undefined,
): Float32Array {
  return Float32Array.from(docs, (doc) => {
    if ((filter && !filter(doc)) || words?.quoted?.has(doc) === false) {
      return Number.NEGATIVE_INFINITY;
    }
    return factor * (words?.matches.get(doc)?.score ?? 0);
  });
}

async function matchWords(
  state: IndexState,
  query: string,
  signal: AbortSignal | undefined,
): Promise<WordsFound> {
  const { indexWords } = await import('./index-words.ts');
  const words = await indexWords(state);
  if (signal?.aborted) {
    throw abortError(signal);
  }
  return { matches: await words.match(query), quoted: await words.withPhrases(query) };
}
