// A vector index in the worker's heap.
import type { IndexFacts, RowHit } from '../rpc/protocol.ts';
import type { ByteSource } from '../source/byte-source.ts';
import type { RunModule, VectorIndex } from '../wasm/ambry.mjs';
import { bytesOf, copyOut, encode, unwrap, using } from './heap.ts';

export class IndexStore {
  readonly #module: RunModule;
  readonly #index: VectorIndex;

  private constructor(module: RunModule, index: VectorIndex) {
    this.#module = module;
    this.#index = index;
  }

  static create(module: RunModule, dim: number): IndexStore {
    return new IndexStore(module, unwrap(module.createIndex(dim)));
  }

  static async read(module: RunModule, source: ByteSource): Promise<IndexStore> {
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

  facts(): IndexFacts {
    return unwrap(this.#module.indexFacts(this.#index));
  }

  append(rows: Float32Array): number {
    return unwrap(this.#module.append(this.#index, bytesOf(rows)));
  }

  search(query: Float32Array, k: number): readonly RowHit[] {
    return unwrap(this.#module.search(this.#index, bytesOf(query), k));
  }

  write(header: string): Blob {
    const range = unwrap(this.#module.save(this.#index, encode(header)));
    return new Blob([copyOut(this.#module, range)]);
  }
}
