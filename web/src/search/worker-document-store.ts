// An index of passages with a vector for each token, in the worker's heap. It is searched by MaxSim.
import { bytesOf, unwrap } from '../runtime/worker-heap.ts';
import type { DocumentIndex, LateBindings } from '../wasm/module.mjs';
import {
  type IndexModule,
  IndexStore,
  type IndexStores,
  type OpenIndex,
  readIndexFile,
  rowIndex,
  rowStore,
} from './worker-index-store.ts';

type DocumentModule = IndexModule & LateBindings;

function documentStore(module: DocumentModule, index: DocumentIndex): OpenIndex {
  return new IndexStore(module, index, ({ rows, lengths = new Uint32Array() }) =>
    module.appendDocuments(index, bytesOf(rows), bytesOf(lengths)),
  );
}

/** The version of index files of passages with many vectors each (core/search/README.md). */
const documentsVersion = 3;

/** Indexes of one vector a passage, or of many. */
export const anyIndex: IndexStores<DocumentModule> = {
  create: (module, form) =>
    form.tokens
      ? documentStore(module, unwrap(module.createDocuments(form.dim, form.int8)))
      : rowIndex.create(module, form),
  read: (module, source) =>
    readIndexFile(module, source, (reader, head) =>
      head[8] === documentsVersion
        ? documentStore(module, unwrap(module.finishDocuments(reader)))
        : rowStore(module, unwrap(module.finishIndex(reader))),
    ),
};
