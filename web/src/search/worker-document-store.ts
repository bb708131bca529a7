// An index of passages with a vector for each token, in the worker's heap. It is searched by MaxSim.
import type { CallContext } from '../rpc/serve.ts';
import { bytesOf, copyOut, unwrap } from '../runtime/worker-heap.ts';
import type { DocumentIndex, IndexReader, LateBindings } from '../wasm/module.mjs';
import type { IndexCalls, IndexFacts, IndexForm, RowHit, RowPart } from './protocol.ts';
import {
  type IndexModule,
  IndexStore,
  type IndexStores,
  type OpenIndex,
  readIndexFile,
} from './worker-index-store.ts';

type DocumentModule = IndexModule & LateBindings;

class DocumentStore implements OpenIndex {
  readonly #module: DocumentModule;
  readonly #index: DocumentIndex;

  private constructor(module: DocumentModule, index: DocumentIndex) {
    this.#module = module;
    this.#index = index;
  }

  static create(module: DocumentModule, { dim, int8 }: IndexForm): DocumentStore {
    return new DocumentStore(module, unwrap(module.createDocuments(dim, int8)));
  }

  static finish(module: DocumentModule, reader: IndexReader): DocumentStore {
    return new DocumentStore(module, unwrap(module.finishDocuments(reader)));
  }

  facts({ transfer }: CallContext): IndexFacts {
    const header = copyOut(this.#module, unwrap(this.#module.documentHeader(this.#index)));
    transfer.push(header.buffer);
    return { ...unwrap(this.#module.documentFacts(this.#index)), header };
  }

  append({ rows, lengths = new Uint32Array() }: RowPart): number {
    const call = [this.#index, bytesOf(rows), bytesOf(lengths)] as const;
    return unwrap(this.#module.appendDocuments(...call));
  }

  retain(marks: Uint8Array): number {
    return unwrap(this.#module.retainDocuments(this.#index, marks));
  }

  search({ query, k, bias }: IndexCalls['searchRows']['in']): readonly RowHit[] {
    const lifts = bytesOf(bias ?? new Uint8Array());
    return unwrap(this.#module.searchDocuments(this.#index, bytesOf(query), lifts, k));
  }

  write(header: Uint8Array): Blob {
    const pieces = unwrap(this.#module.saveDocuments(this.#index, header));
    return new Blob(pieces.map((piece) => copyOut(this.#module, piece)));
  }
}

/** The version of index files of passages with many vectors each (core/search/README.md). */
const documentsVersion = 3;

/** Indexes of one vector a passage, or of many. */
export const anyIndex: IndexStores<DocumentModule> = {
  create: (module, form) =>
    form.tokens ? DocumentStore.create(module, form) : IndexStore.create(module, form),
  read: (module, source) =>
    readIndexFile(module, source, (reader, head) =>
      head[8] === documentsVersion
        ? DocumentStore.finish(module, reader)
        : IndexStore.finish(module, reader),
    ),
};
