// Indexes of passages with sparse vectors in the worker's heap: alone, or beside vectors of another model.
import { AmbryError } from '../base/errors.ts';
import type { CallContext } from '../rpc/serve.ts';
import { bytesOf, copyOut, unwrap } from '../runtime/worker-heap.ts';
import type { SparseBindings, SparseDocuments } from '../wasm/module.mjs';
import type { IndexCalls, IndexFacts, RowHit, RowPart } from './base/protocol.ts';
import { type IndexModule, IndexStore, type OpenIndex } from './worker-index-store.ts';

export type SparseModule = IndexModule & SparseBindings;

export class SparseStore extends IndexStore {
  readonly #module: SparseModule;
  readonly #index: SparseDocuments;

  constructor(module: SparseModule, index: SparseDocuments) {
    super(module, index, ({ rows, lengths = new Uint32Array() }) =>
      module.appendSparse(index, bytesOf(rows), bytesOf(lengths)),
    );
    this.#module = module;
    this.#index = index;
  }

  /** The score of every passage. */
  scores(query: Float32Array): Float64Array {
    const scores = unwrap(this.#module.scoreSparse(this.#index, bytesOf(query)));
    return new Float64Array(copyOut(this.#module, scores).buffer);
  }
}

/** Passages with a sparse vector, and with vectors of another model. */
export class FusedStore implements OpenIndex {
  readonly #sparse: SparseStore;
  readonly #other: OpenIndex;
  #sparseSize = 0;
  #otherSize = 0;

  constructor(sparse: SparseStore, other: OpenIndex) {
    this.#sparse = sparse;
    this.#other = other;
  }

  /** The facts of the other vectors, with the header and the vocabulary of the sparse ones. */
  facts(context: CallContext): IndexFacts {
    const { dim, size, header, headerOffset, version } = this.#sparse.facts(context);
    const other = this.#other.facts(context);
    if (other.size !== size) {
      const message = `The file has sparse vectors of ${size} passages, but other vectors of ${other.size}.`;
      throw new AmbryError('Mismatch', message, { path: 'rows' });
    }
    this.#sparseSize = size;
    this.#otherSize = size;
    return { ...other, header, headerOffset, version, words: dim };
  }

  append(part: RowPart): number {
    if (part.sparse) {
      this.#sparseSize = this.#sparse.append(part);
      return this.#sparseSize;
    }
    this.#otherSize = this.#other.append(part);
    return this.#otherSize;
  }

  /** While passages are added, one of the two has more of them than the other. */
  retain(marks: Uint8Array): number {
    this.#sparseSize = this.#sparse.retain(marks.subarray(0, this.#sparseSize));
    this.#otherSize = this.#other.retain(marks.subarray(0, this.#otherSize));
    return this.#otherSize;
  }

  /** The share of the best sparse score, times the weight, lifts a passage. */
  search({ sparse, ...input }: IndexCalls['searchRows']['in']): readonly RowHit[] {
    if (!sparse) {
      return this.#other.search(input);
    }
    const scores = this.#sparse.scores(sparse.query);
    const lifts = input.bias?.slice() ?? new Float32Array(scores.length);
    const best = scores.reduce(
      (most, score, i) => (lifts[i] === Number.NEGATIVE_INFINITY ? most : Math.max(most, score)),
      0,
    );
    if (best > 0) {
      const factor = sparse.weight / best;
      scores.forEach((score, i) => {
        lifts[i] = (lifts[i] as number) + factor * score;
      });
    }
    const hits = this.#other.search({ ...input, bias: lifts });
    return hits.map((hit) => ({
      ...hit,
      lift: lifts[hit.row] as number,
      sparse: scores[hit.row] as number,
    }));
  }

  /** Two files, one after the other. The first has the header. */
  write(header: Uint8Array): Blob {
    return new Blob([this.#sparse.write(header), this.#other.write(new Uint8Array())]);
  }
}
