// Searches with words or with a filter. Every row gets a bias that the worker adds to its cosine. So the result has
// the best of all passages, and not the best of a shortlist.
import { AmbryError, abortError } from '../base/errors.ts';
import { type Doc, type SearchHit, type SearchOptions, searchDefaults } from './base/types.ts';
import { hitOf, type IndexState } from './index-state.ts';
import type { PassageWords, WordMatch } from './words/passage-words.ts';

/** With a weight of 1, passages without any of the words would have equal scores. */
const mostWeight = 0.999;

const passageWords = new WeakMap<IndexState, PassageWords>();

/** `vectors` are those of the query: one, or one for each token. */
export async function rankedSearch(
  state: IndexState,
  query: string,
  vectors: Float32Array,
  { k = searchDefaults.k, hybrid = false, filter, signal }: SearchOptions,
): Promise<SearchHit[]> {
  const weight = weightOf(hybrid);
  // A score is a sum over the vectors.
  const count = vectors.length / state.header.model.dim;
  const matches = weight > 0 ? await matchWords(state, query, signal) : undefined;
  const { docs, bias, hits } = await state.inTurn(async () => {
    const { channel, docs } = state;
    const bias = biasOf(docs, weight, matches, filter).map((lift) => lift * count);
    // The call is sent in turn, but its result is awaited outside the turn.
    return {
      docs,
      bias,
      hits: channel.call('searchRows', { query: vectors, k, bias }, { signal }),
    };
  });
  return (await hits).map(({ row, score: sum }) => {
    const hit = hitOf(docs, row, sum, count);
    if (!matches) {
      return hit;
    }
    const score = ((1 - weight) * Math.fround(sum + (bias[row] ?? 0))) / count;
    return { ...hit, score, terms: matches.get(hit.doc)?.terms ?? [] };
  });
}

function weightOf(hybrid: boolean | number): number {
  const weight = Number(hybrid) * (hybrid === true ? 0.5 : 1);
  if (weight >= 0 && weight <= 1) {
    return Math.min(weight, mostWeight);
  }
  throw new AmbryError('BadValue', `The weight of words is from 0 to 1, not ${hybrid}.`, {
    path: 'options.hybrid',
  });
}

function biasOf(
  docs: readonly Doc[],
  weight: number,
  matches: ReadonlyMap<Doc, WordMatch> | undefined,
  filter: ((doc: Doc) => boolean) | undefined,
): Float32Array {
  const factor = weight / (1 - weight);
  return Float32Array.from(docs, (doc) => {
    if (filter && !filter(doc)) {
      return Number.NEGATIVE_INFINITY;
    }
    return factor * (matches?.get(doc)?.score ?? 0);
  });
}

async function matchWords(
  state: IndexState,
  query: string,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<Doc, WordMatch>> {
  let words = passageWords.get(state);
  if (!words) {
    const [{ PassageWords }, { knownLanguages }] = await Promise.all([
      import('./words/passage-words.ts'),
      import('./known-languages.ts'),
    ]);
    words = passageWords.get(state) ?? new PassageWords((docs) => knownLanguages(state, docs));
    passageWords.set(state, words);
  }
  await words.update(state.docs);
  if (signal?.aborted) {
    throw abortError(signal);
  }
  return words.match(query);
}
