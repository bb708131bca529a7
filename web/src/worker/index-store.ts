// A vector index in the worker's heap.
import type { IndexFacts, RowHit } from '../rpc/protocol.ts';
import type { ByteSource } from '../source/byte-source.ts';
import type { AmbryModule, VectorIndex } from '../wasm/ambry.mjs';
import { copyOut, unwrap, using } from './heap.ts';

export class IndexStore {
  readonly #module: AmbryModule;
  readonly #index: VectorIndex;

  private constructor(module: AmbryModule, index: VectorIndex) {
    this.#module = module;
    this.#index = index;
  }

  static create(module: AmbryModule, dim: number): IndexStore {
    return new IndexStore(module, unwrap(module.createIndex(dim)));
  }

  static async read(module: AmbryModule, source: ByteSource): Promise<IndexStore> {
    return using(unwrap(module.openIndex(source.size)), async (reader) => {
      const { address } = reader.window();
      let at = address;
      for await (const chunk of source.stream(0, source.size)) {
        module.HEAPU8.set(chunk, at);
        at += chunk.byteLength;
      }
      return new IndexStore(module, unwrap(reader.finish()));
    });
  }

  facts(): IndexFacts {
    const index = this.#index;
    return { header: index.header(), dim: index.dim(), size: index.size() };
  }

  append(rows: Float32Array): number {
    unwrap(this.#index.append(bytesOf(rows)));
    return this.#index.size();
  }

  search(query: Float32Array, k: number): readonly RowHit[] {
    return JSON.parse(unwrap(this.#index.search(bytesOf(query), k))) as RowHit[];
  }

  write(header: string): Blob {
    const range = unwrap(this.#index.save(new TextEncoder().encode(header)));
    return new Blob([copyOut(this.#module, range)]);
  }
}

function bytesOf(numbers: Float32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
