// A vector index in the worker's heap.

import type { CallContext } from '../rpc/serve.ts';
import { bytesOf, copyOut, unwrap, using } from '../runtime/worker-heap.ts';
import type { ByteSource } from '../sources/byte-source.ts';
import type { CoreModule, IndexBindings, VectorIndex } from '../wasm/module.mjs';
import type { IndexCalls, IndexFacts, RowHit } from './protocol.ts';

/** Every module that has indexes. */
type IndexModule = CoreModule & IndexBindings;

export class IndexStore {
  readonly #module: IndexModule;
  readonly #index: VectorIndex;

  private constructor(module: IndexModule, index: VectorIndex) {
    this.#module = module;
    this.#index = index;
  }

  static create(module: IndexModule, dim: number, int8: boolean): IndexStore {
    return new IndexStore(module, unwrap(module.createIndex(dim, int8)));
  }

  static async read(module: IndexModule, source: ByteSource): Promise<IndexStore> {
    const size = await source.measure();
    return using(module, unwrap(module.openIndex(size)), async (reader) => {
      const { address } = unwrap(module.readerWindow(reader));
      let at = address;
      for await (const chunk of source.stream(0, size)) {
        module.HEAPU8.set(chunk, at);
        at += chunk.byteLength;
      }
      return new IndexStore(module, unwrap(module.finishIndex(reader)));
    });
  }

  facts({ transfer }: CallContext): IndexFacts {
    const header = copyOut(this.#module, unwrap(this.#module.indexHeader(this.#index)));
    transfer.push(header.buffer);
    return { ...unwrap(this.#module.indexFacts(this.#index)), header };
  }

  append(rows: Float32Array): number {
    return unwrap(this.#module.append(this.#index, bytesOf(rows)));
  }

  retain(marks: Uint8Array): number {
    return unwrap(this.#module.retain(this.#index, marks));
  }

  search({ query, k, bias }: IndexCalls['searchRows']['in']): readonly RowHit[] {
    const lifts = bytesOf(bias ?? new Uint8Array());
    return unwrap(this.#module.search(this.#index, bytesOf(query), lifts, k));
  }

  write(header: Uint8Array): Blob {
    const pieces = unwrap(this.#module.save(this.#index, header));
    return new Blob(pieces.map((piece) => copyOut(this.#module, piece)));
  }
}
