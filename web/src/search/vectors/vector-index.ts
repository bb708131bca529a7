// An index of own vectors. The vectors are in a worker of their own, or in a file that the worker reads.
/// <reference lib="esnext.disposable" preserve="true" />

import { checkMethods } from '../../base/call.ts';
import { AmbryError } from '../../base/errors.ts';
import { type Kind, list, number, options, signal } from '../../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../../base/options.ts';
import type { VectorStorage } from '../base/types.ts';
import type { FoundVector, VectorQueries } from './protocol.ts';
import type { MeasuredSearch, VectorHit, VectorSearchOptions } from './types.ts';
import type { VectorState } from './vector-state.ts';

const defaultHits = 10;

const searchOptionNames: OptionNames<VectorSearchOptions> = {
  k: number,
  probes: number,
  candidates: number,
  filter: {
    words: 'a list or a Set of ids',
    is: (value) => list.is(value) || value instanceof Set,
  },
  signal,
};

const vectorOrVectors: Kind = {
  words: 'a Float32Array or a list of them',
  is: (value) => list.is(value) || value instanceof Float32Array,
};

/** An index of the caller's own vectors. A large one has its vectors sorted into lists, and a search reads those that are
 *  near to the query; `measured` says how much that finds. */
export class VectorIndex {
  readonly #state: VectorState;

  /** @internal */
  constructor(state: VectorState) {
    this.#state = state;
  }

  /** The number of vectors. */
  get size(): number {
    return this.#state.facts.size;
  }

  /** The length of a vector. */
  get dim(): number {
    return this.#state.facts.dim;
  }

  /** How the vectors are stored. */
  get vectors(): VectorStorage {
    return this.#state.facts.int8 ? 'int8' : 'f32';
  }

  /** What a search finds and reads, as it was measured when the index was made. */
  get measured(): MeasuredSearch {
    return this.#state.facts.measured;
  }

  /**
   * The vectors nearest to the query by cosine, best first; for several queries a list for each. Every score is computed
   * from the vector itself.
   *
   * @example
   * const own = await createVectorIndex({ vectors: new Float32Array([1, 0, 0, 1]), ids: ['a', 'b'] });
   * const hits = await own.search(new Float32Array([0.9, 0.1]), { k: 1, filter: ['b'] });
   */
  search(query: Float32Array, options?: VectorSearchOptions): Promise<VectorHit[]>;
  search(queries: readonly Float32Array[], options?: VectorSearchOptions): Promise<VectorHit[][]>;
  async search(
    query: Float32Array | readonly Float32Array[],
    options: VectorSearchOptions = {},
  ): Promise<VectorHit[] | VectorHit[][]> {
    const refusal = refuseUnknown(options, searchOptionNames);
    if (refusal) {
      return refusal;
    }
    const isOne = query instanceof Float32Array;
    const { probes, candidates } = this.measured;
    const found = await this.#find(isOne ? [query] : query, { probes, candidates, ...options });
    return isOne ? (found[0] ?? []) : found;
  }

  async #find(
    queries: readonly Float32Array[],
    { k = defaultHits, probes = 0, candidates = 0, filter, signal }: VectorSearchOptions,
  ): Promise<VectorHit[][]> {
    const { channel, ids, isFile } = this.#state;
    checkCount('k', k, 1);
    checkCount('probes', probes, 0);
    checkCount('candidates', candidates, 0);
    const joined = this.#joined(queries);
    if (this.size === 0 || queries.length === 0) {
      return queries.map(() => []);
    }
    const input: VectorQueries = {
      queries: joined,
      k,
      probes: isFile ? Math.max(1, probes) : probes,
      candidates,
      ...(filter && (isFile ? { only: new Set(filter) } : { marks: this.#marks(filter) })),
    };
    const found = await channel.call('searchVectors', input, { signal, transfer: [joined.buffer] });
    const hitOf = ({ position, score, id }: FoundVector): VectorHit => ({
      id: id ?? ids?.[position] ?? position,
      score,
    });
    return found.map((hits) => hits.map(hitOf));
  }

  #joined(queries: readonly Float32Array[]): Float32Array<ArrayBuffer> {
    const { dim } = this;
    const joined = new Float32Array(queries.length * dim);
    for (const [i, query] of queries.entries()) {
      if (!(query instanceof Float32Array) || query.length !== dim) {
        const message = `A query is a Float32Array of ${dim} numbers.`;
        throw new AmbryError('Mismatch', message, { path: `queries[${i}]` });
      }
      joined.set(query, i * dim);
    }
    return joined;
  }

  #marks(filter: NonNullable<VectorSearchOptions['filter']>): Uint8Array {
    const only = new Set(filter);
    const { ids } = this.#state;
    return Uint8Array.from({ length: this.size }, (_, i) => (only.has(ids?.[i] ?? i) ? 1 : 0));
  }

  /**
   * Measures how much a search finds, with the caller's own queries: the share of the `k` nearest vectors. It compares each
   * query with all vectors, so it is for an index that was made here, and not for a file.
   */
  async recall(
    queries: readonly Float32Array[],
    options: VectorSearchOptions = {},
  ): Promise<number> {
    if (this.#state.isFile) {
      const message = 'Only an index in memory can compare a query with all of its vectors.';
      throw new AmbryError('Unsupported', message);
    }
    const found = await this.search(queries, options);
    const all = await this.search(queries, { ...options, probes: 0 });
    let near = 0;
    let wanted = 0;
    for (const [i, hits] of all.entries()) {
      // Vectors with equal scores stand for each other.
      const least = hits.at(-1)?.score ?? 0;
      wanted += hits.length;
      near += (found[i] ?? []).filter(({ score }) => score >= least).length;
    }
    return wanted === 0 ? 1 : near / wanted;
  }

  /** The index as a file, which {@link openVectorIndex} opens without reading all of it. */
  async save(): Promise<Blob> {
    const { saveVectors } = await import('./save.ts');
    return saveVectors(this.#state);
  }

  /** Ends the worker of the index. */
  dispose(): Promise<void> {
    return this.#state.channel.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }
}

checkMethods(VectorIndex, {
  search: { query: vectorOrVectors, options },
  recall: { queries: list, options },
  save: {},
});

function checkCount(name: string, count: number, least: number): void {
  if (Number.isInteger(count) && count >= least && count < 2 ** 31) {
    return;
  }
  const message = `Not a whole number from ${least} on: ${count}`;
  throw new AmbryError('BadValue', message, { path: `options.${name}` });
}
