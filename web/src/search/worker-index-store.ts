// A vector index in the worker's heap.

import type { CallContext } from '../rpc/serve.ts';
import { bytesOf, copyOut, unwrap, using } from '../runtime/worker-heap.ts';
import type { ByteSource } from '../sources/base/byte-source.ts';
import type {
  CoreModule,
  HeapRange,
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

/** Reads an index file into the heap for `finish`, which gets its first bytes, too. */
export async function readIndexFile<T>(
  module: IndexModule,
  source: ByteSource,
  finish: (reader: IndexReader, head: Uint8Array) => T,
): Promise<T> {
  const size = await source.measure();
  return using(module, unwrap(module.openIndex(size)), async (reader) => {
    const { address } = unwrap(module.readerWindow(reader));
    let at = address;
    for await (const chunk of source.stream(0, size)) {
      module.HEAPU8.set(chunk, at);
      at += chunk.byteLength;
    }
    return finish(reader, module.HEAPU8.subarray(address, address + Math.min(size, headBytes)));
  });
}

/** The core's calls for one kind of index. */
export interface IndexKind<I> {
  facts(index: I): OutcomeText<Omit<IndexFacts, 'header'>>;
  header(index: I): OutcomeText<HeapRange>;
  append(index: I, part: RowPart): OutcomeText<number>;
  retain(index: I, marks: Uint8Array): OutcomeText<number>;
  search(index: I, query: Uint8Array, bias: Uint8Array, k: number): OutcomeText<RowHit[]>;
  save(index: I, header: Uint8Array): OutcomeText<HeapRange[]>;
}

export class IndexStore<I> implements OpenIndex {
  readonly #module: CoreModule;
  readonly #kind: IndexKind<I>;
  readonly #index: I;

  constructor(module: CoreModule, kind: IndexKind<I>, index: I) {
    this.#module = module;
    this.#kind = kind;
    this.#index = index;
  }

  facts({ transfer }: CallContext): IndexFacts {
    const header = copyOut(this.#module, unwrap(this.#kind.header(this.#index)));
    transfer.push(header.buffer);
    return { ...unwrap(this.#kind.facts(this.#index)), header };
  }

  append(part: RowPart): number {
    return unwrap(this.#kind.append(this.#index, part));
  }

  retain(marks: Uint8Array): number {
    return unwrap(this.#kind.retain(this.#index, marks));
  }

  search({ query, k, bias }: IndexCalls['searchRows']['in']): readonly RowHit[] {
    const lifts = bytesOf(bias ?? new Uint8Array());
    return unwrap(this.#kind.search(this.#index, bytesOf(query), lifts, k));
  }

  write(header: Uint8Array): Blob {
    const pieces = unwrap(this.#kind.save(this.#index, header));
    return new Blob(pieces.map((piece) => copyOut(this.#module, piece)));
  }
}

/** An index of one vector a passage. */
export function rowStore(module: IndexModule, index: VectorIndex): OpenIndex {
  const { indexFacts: facts, indexHeader: header, append, retain, search, save } = module;
  const appendRows = (to: VectorIndex, { rows }: RowPart) => append(to, bytesOf(rows));
  return new IndexStore(module, { facts, header, append: appendRows, retain, search, save }, index);
}

/** Indexes of one vector a passage. */
export const rowIndex: IndexStores<IndexModule> = {
  create: (module, { dim, int8 }) => rowStore(module, unwrap(module.createIndex(dim, int8))),
  read: (module, source) =>
    readIndexFile(module, source, (reader) => rowStore(module, unwrap(module.finishIndex(reader)))),
};
