// An index of own vectors in the worker's heap.
import type { CallContext } from '../../rpc/serve.ts';
import { withEventLoop } from '../../runtime/worker-event-loop.ts';
import { bytesOf, copyOut, unwrap } from '../../runtime/worker-heap.ts';
import type { VectorLists, VectorsModule } from '../../wasm/module.mjs';
import type { FoundVector, RowOrder, VectorQueries, WrittenIds } from './protocol.ts';
import type { MeasuredSearch } from './types.ts';
import { finish } from './worker-steps.ts';

const nothing = new Uint8Array();
/** Bytes of the heap that are copied in one piece. */
const pieceBytes = 16 << 20;

export class ListStore {
  readonly #module: VectorsModule;
  readonly #index: VectorLists;

  constructor(module: VectorsModule, dim: number, int8: boolean) {
    this.#module = module;
    this.#index = unwrap(module.createLists(dim, int8));
  }

  append(vectors: Float32Array): number {
    return unwrap(this.#module.appendVectors(this.#index, bytesOf(vectors)));
  }

  async build(
    { lists = -1, recall }: { lists?: number | undefined; recall: number },
    { signal, report }: CallContext,
  ): Promise<MeasuredSearch> {
    unwrap(this.#module.beginLists(this.#index, lists, recall));
    await withEventLoop((eventLoop) =>
      finish(this.#module, this.#index, { report, turn: () => eventLoop.turn(signal) }),
    );
    const { dim: _, size: __, ...measured } = unwrap(this.#module.listsFacts(this.#index));
    return measured;
  }

  async search(
    { queries, k, probes, candidates, marks = nothing }: VectorQueries,
    { signal }: CallContext,
  ): Promise<FoundVector[][]> {
    const { dim } = unwrap(this.#module.listsFacts(this.#index));
    const found: FoundVector[][] = [];
    await withEventLoop(async (eventLoop) => {
      for (let at = 0; at < queries.length; at += dim) {
        if (at > 0) {
          await eventLoop.turn(signal);
        }
        const query = bytesOf(queries.subarray(at, at + dim));
        const args = [query, marks, k, probes, candidates] as const;
        found.push(unwrap(this.#module.searchLists(this.#index, ...args)));
      }
    });
    return found;
  }

  order({ transfer }: CallContext): RowOrder {
    const { positions, begins } = unwrap(this.#module.listsOrder(this.#index));
    const copies = [copyOut(this.#module, positions).buffer, copyOut(this.#module, begins).buffer];
    transfer.push(...copies);
    const [first, second] = copies as [ArrayBuffer, ArrayBuffer];
    return { positions: new Uint32Array(first), begins: new Uint32Array(second) };
  }

  /** Blobs take pieces, so that no copy of the whole file is made. */
  write(header: Uint8Array, ids?: WrittenIds): Blob {
    const sizes = ids ? bytesOf(ids.sizes) : nothing;
    const crcs = ids ? bytesOf(ids.crcs) : nothing;
    const pieces: Blob[] = [];
    for (const { address, size } of unwrap(
      this.#module.saveLists(this.#index, header, sizes, crcs),
    )) {
      for (let at = 0; at < size; at += pieceBytes) {
        const part = { address: address + at, size: Math.min(pieceBytes, size - at) };
        pieces.push(new Blob([copyOut(this.#module, part)]));
      }
    }
    return new Blob(ids ? [...pieces, ids.bytes] : pieces);
  }
}
