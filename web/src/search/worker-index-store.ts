// A vector index in the worker's heap.

import type { CallContext } from '../rpc/serve.ts';
import { bytesOf, copyOut, unwrap, using } from '../runtime/worker-heap.ts';
import type { ByteSource } from '../sources/base/byte-source.ts';
import type {
  AnyIndex,
  CoreModule,
  IndexBindings,
  IndexReader,
  OutcomeText,
  VectorIndex,
} from '../wasm/module.mjs';
import type { IndexCalls, IndexFacts, IndexForm, RowHit, RowPart } from './base/protocol.ts';

/** Every module that has indexes. */
export type IndexModule = CoreModule & IndexBindings;

/** An index in the worker's heap. */
export interface OpenIndex {
  facts(context: CallContext): IndexFacts;
  append(part: RowPart): number;
  retain(marks: Uint8Array): number;
  search(input: IndexCalls['searchRows']['in']): readonly RowHit[];
  write(header: Uint8Array): Blob;
}

/** The kinds of indexes that a module has. */
export interface IndexStores<M> {
  create(module: M, form: IndexForm): OpenIndex;
  read(module: M, source: ByteSource): Promise<OpenIndex>;
}

/** Magic and version. */
const headBytes = 12;

/** What reading an index file needs of its source. */
export type IndexSource = Pick<ByteSource, 'measure' | 'stream'>;

/** Reads an index file into the heap for `finish`, which gets its first bytes, too. */
export async function readIndexFile<T>(
  module: IndexModule,
  source: IndexSource,
  finish: (reader: IndexReader, head: Uint8Array) => T,
): Promise<T> {
  const size = await source.measure();
  return using(module, unwrap(module.openIndex(size)), async (reader) => {
    const { address } = unwrap(module.rangeOf(reader));
    let at = address;
    for await (const chunk of source.stream(0, size)) {
      module.HEAPU8.set(chunk, at);
      at += chunk.byteLength;
    }
    return finish(reader, module.HEAPU8.subarray(address, address + Math.min(size, headBytes)));
  });
}

export class IndexStore implements OpenIndex {
  readonly #module: IndexModule;
  readonly #index: AnyIndex;
  readonly #append: (part: RowPart) => OutcomeText<number>;

  constructor(
    module: IndexModule,
    index: AnyIndex,
    append: (part: RowPart) => OutcomeText<number>,
  ) {
    this.#module = module;
    this.#index = index;
    this.#append = append;
  }

  facts({ transfer }: CallContext): IndexFacts {
    const header = copyOut(this.#module, unwrap(this.#module.rangeOf(this.#index)));
    transfer.push(header.buffer);
    return { ...unwrap(this.#module.indexFacts(this.#index)), header };
  }

  append(part: RowPart): number {
    return unwrap(this.#append(part));
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

/** An index of one vector a passage. */
export function rowStore(module: IndexModule, index: VectorIndex): OpenIndex {
  return new IndexStore(module, index, ({ rows }) => module.append(index, bytesOf(rows)));
}

/** Indexes of one vector a passage. */
export const rowIndex: IndexStores<IndexModule> = {
  create: (module, { dim, int8 }) => rowStore(module, unwrap(module.createIndex(dim, int8))),
  read: (module, source) =>
    readIndexFile(module, source, (reader) => rowStore(module, unwrap(module.finishIndex(reader)))),
};
