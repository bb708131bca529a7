// Every kind of index of passages, in the worker's heap: with one vector, with a vector for each token, which is searched by
// MaxSim, or with a sparse vector alone or beside these.
import { AmbryError } from '../base/errors.ts';
import { bytesOf, unwrap } from '../runtime/worker-heap.ts';
import type { ByteSource } from '../sources/base/byte-source.ts';
import type { DocumentIndex, LateBindings } from '../wasm/module.mjs';
import {
  type IndexModule,
  type IndexSource,
  IndexStore,
  type IndexStores,
  type OpenIndex,
  readIndexFile,
  rowIndex,
  rowStore,
} from './worker-index-store.ts';
import { FusedStore, type SparseModule, SparseStore } from './worker-sparse-store.ts';

type DocumentModule = IndexModule & LateBindings & SparseModule;

function documentStore(module: DocumentModule, index: DocumentIndex): OpenIndex {
  return new IndexStore(module, index, ({ rows, lengths = new Uint32Array() }) =>
    module.appendDocuments(index, bytesOf(rows), bytesOf(lengths)),
  );
}

/** The versions of index files of passages with many vectors each, and with sparse ones (core/search/README.md). */
const documentsVersion = 3;
const sparseVersion = 5;
/** Where the version and the size of an index file are, and the bytes before which both are there. */
const versionOffset = 8;
const sizeOffset = 40;
const startBytes = 48;

const readVectors = (module: DocumentModule, source: IndexSource): Promise<OpenIndex> =>
  readIndexFile(module, source, (reader, head) =>
    head[versionOffset] === documentsVersion
      ? documentStore(module, unwrap(module.finishDocuments(reader)))
      : rowStore(module, unwrap(module.finishIndex(reader))),
  );

const readSparse = (module: DocumentModule, source: IndexSource): Promise<SparseStore> =>
  readIndexFile(
    module,
    source,
    (reader) => new SparseStore(module, unwrap(module.finishSparse(reader))),
  );

/** Every kind of index of passages. */
export const anyIndex: IndexStores<DocumentModule> = {
  create: (module, form) => {
    const { dim, int8, tokens, words } = form;
    const sparse = words && new SparseStore(module, unwrap(module.createSparse(words)));
    if (sparse && dim === 0) {
      return sparse;
    }
    const vectors = tokens
      ? documentStore(module, unwrap(module.createDocuments(dim, int8)))
      : rowIndex.create(module, form);
    return sparse ? new FusedStore(sparse, vectors) : vectors;
  },
  read: async (module, source) => {
    const size = await source.measure();
    const head = await source.read(0, Math.min(size, startBytes));
    if (head[versionOffset] !== sparseVersion) {
      return readVectors(module, source);
    }
    const first = sizeIn(head) ?? size;
    if (first >= size) {
      return readSparse(module, source);
    }
    const [one, other] = oneAfterOther(source, first, size);
    const sparse = await readSparse(module, one);
    const vectors = await readVectors(module, other).catch((error: unknown) => {
      throw error instanceof AmbryError ? movedBy(error, first) : error;
    });
    return new FusedStore(sparse, vectors);
  },
};

/** What the file says of its size, if it is not cut. */
function sizeIn(head: Uint8Array): number | undefined {
  const { buffer, byteOffset, byteLength } = head;
  if (byteLength < startBytes) {
    return undefined;
  }
  return Number(new DataView(buffer, byteOffset).getBigUint64(sizeOffset, true));
}

/** Two files in one, which are read in one pass. */
function oneAfterOther(
  source: ByteSource,
  first: number,
  size: number,
): readonly [IndexSource, IndexSource] {
  const chunks = source.stream(0, size)[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array();
  async function* take(length: number): AsyncGenerator<Uint8Array> {
    let left = length;
    while (left > 0) {
      const part = rest.subarray(0, left);
      rest = rest.subarray(part.length);
      left -= part.length;
      yield part;
      if (rest.length === 0) {
        rest = (await chunks.next()).value ?? rest;
      }
    }
  }
  const part = (length: number): IndexSource => ({
    measure: async () => length,
    stream: () => take(length),
  });
  return [part(first), part(size - first)];
}

/** The error of a file that begins `bytes` further on. */
function movedBy(error: AmbryError, bytes: number): AmbryError {
  const { code, message, path, byteOffset } = error;
  const place = { path, byteOffset: byteOffset === undefined ? byteOffset : byteOffset + bytes };
  return new AmbryError(code, message, { ...place, cause: error });
}
