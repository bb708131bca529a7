// The file of an index of own vectors, read by range. The head is in the worker's heap; parts of lists are read when a
// query wants them.
import { AmbryError } from '../../base/errors.ts';
import type { CallContext } from '../../rpc/serve.ts';
import { bytesOf, copyOut, unwrap, using } from '../../runtime/worker-heap.ts';
import type { RangedFile } from '../../sources/ranged.ts';
import type { ListedPart, ListLookup, ListReader, VectorsModule } from '../../wasm/module.mjs';
import { type Part, PartCache } from './part-cache.ts';
import type { FoundVector, VectorFacts, VectorQueries, VectorsHeader } from './protocol.ts';
import type { VectorId } from './types.ts';
import { parseHeader, parseIds } from './worker-header.ts';

/** The first bytes say how long the head is. */
const startBytes = 64;
/** Where the head of a file has the caller's bytes. */
const headerOffset = 64;
/** Lists that are looked at together, so that their ranges can be joined. */
const listsAtOnce = 2048;
/** Reading so many bytes more costs less than another request. */
const codeGap = 16 << 10;
const rowGap = 4 << 10;
/** Rows of an index without lists, all of which are compared, are read in blocks. */
const rowsOfBlock = 256;

export class VectorFile {
  readonly #module: VectorsModule;
  readonly #reader: ListReader;
  readonly #cache: PartCache;
  readonly #memory: number;
  readonly #header: VectorsHeader;
  readonly #facts: ReturnType<typeof factsOf>;

  private constructor(module: VectorsModule, reader: ListReader, file: RangedFile, memory: number) {
    this.#module = module;
    this.#reader = reader;
    this.#cache = new PartCache(file, memory);
    this.#memory = memory;
    this.#facts = factsOf(module, reader);
    const header = copyOut(module, unwrap(module.rangeOf(reader)));
    this.#header = parseHeader(header, headerOffset);
  }

  static async open(
    module: VectorsModule,
    file: RangedFile,
    memory: number,
    { signal }: CallContext,
  ): Promise<VectorFile> {
    const source = file.source(signal);
    const size = await source.measure();
    const start = await source.read(0, Math.min(startBytes, size));
    const headSize = unwrap(module.listHeadSize(start, size));
    const head = await source.read(0, headSize);
    const reader = unwrap(module.openLists(head, size));
    await file.keepHead();
    return new VectorFile(module, reader, file, memory);
  }

  facts(): VectorFacts {
    const { dim, size, int8 } = this.#facts;
    return { dim, size, int8, measured: this.#header.measured };
  }

  async search(input: VectorQueries, context: CallContext): Promise<FoundVector[][]> {
    const { queries, k, candidates } = input;
    const { dim } = this.#facts;
    const found: FoundVector[][] = [];
    for (let at = 0; at < queries.length; at += dim) {
      const query = bytesOf(queries.subarray(at, at + dim));
      const begun = unwrap(this.#module.beginLookup(this.#reader, query, k, candidates));
      const hits = await using(this.#module, begun, (lookup) =>
        this.#lookUp(lookup, input, context.signal),
      );
      found.push(hits);
    }
    return found;
  }

  async #lookUp(
    lookup: ListLookup,
    { probes, only }: VectorQueries,
    signal: AbortSignal,
  ): Promise<FoundVector[]> {
    await this.#scan(lookup, probes, only, signal);
    await this.#score(lookup, signal);
    const hits = unwrap(this.#module.lookupHits(lookup));
    if (!this.#header.ids) {
      return hits.map(({ position, score }) => ({ position, score }));
    }
    const lists = new Set(hits.map(({ list }) => list));
    const ids = await this.#idsOf(lookup, lists, signal);
    return hits.map(({ position, score, list, at }) => {
      const id = ids.get(list)?.[at];
      return { position, score, ...(id !== undefined && { id }) };
    });
  }

  /** Compares the rows of the nearest lists. With `only`, until as many rows were compared as without. */
  async #scan(
    lookup: ListLookup,
    probes: number,
    only: VectorQueries['only'],
    signal: AbortSignal,
  ): Promise<void> {
    let read = 0;
    let wanted = 0;
    let compared = 0;
    for (;;) {
      const isMore = read < probes || (only !== undefined && compared < wanted);
      const most = read < probes ? Math.min(listsAtOnce, probes - read) : 64;
      const lists = isMore ? unwrap(this.#module.lookupLists(lookup, read, most)) : [];
      if (lists.length === 0) {
        return;
      }
      for (const batch of this.#batches(lists)) {
        const marks = only && (await this.#marks(batch, only, signal));
        const parts = batch.map(({ list, codes: [offset, size] }) =>
          this.#codes(list, offset, size),
        );
        const codes = await this.#cache.read(parts, codeGap, signal);
        for (const [i, { list, rows }] of batch.entries()) {
          const own = marks?.[i] ?? new Uint8Array();
          unwrap(this.#module.scanList(lookup, list, codes[i] as Uint8Array, own));
          compared += own.length > 0 ? own.reduce((sum, mark) => sum + mark, 0) : rows;
          if (read < probes) {
            wanted += rows;
          }
          read += 1;
        }
      }
    }
  }

  /** As many lists together as fit into half of the memory. */
  *#batches(lists: readonly ListedPart[]): Generator<ListedPart[]> {
    let batch: ListedPart[] = [];
    let bytes = 0;
    for (const list of lists) {
      const own = list.codes[1];
      if (batch.length > 0 && bytes + own > this.#memory / 2) {
        yield batch;
        batch = [];
        bytes = 0;
      }
      batch.push(list);
      bytes += own;
    }
    if (batch.length > 0) {
      yield batch;
    }
  }

  #codes(list: number, offset: number, size: number): Part {
    const check = (bytes: Uint8Array) => {
      unwrap(this.#module.checkCodes(this.#reader, list, bytes));
    };
    return { offset, size, check };
  }

  async #marks(
    lists: readonly ListedPart[],
    only: ReadonlySet<VectorId>,
    signal: AbortSignal,
  ): Promise<Uint8Array[]> {
    const ids = await this.#idsIn(lists, signal);
    return lists.map((_, i) => Uint8Array.from(ids[i] ?? [], (id) => (only.has(id) ? 1 : 0)));
  }

  async #idsIn(lists: readonly ListedPart[], signal: AbortSignal): Promise<VectorId[][]> {
    const parts = lists.map(({ list, ids: [offset, size] }): Part => {
      const check = (bytes: Uint8Array) => {
        unwrap(this.#module.checkIds(this.#reader, list, bytes));
      };
      return { offset, size, check };
    });
    const texts = await this.#cache.read(parts, codeGap, signal);
    return lists.map(({ rows, ids: [byteOffset] }, i) =>
      parseIds(texts[i] as Uint8Array, rows, byteOffset),
    );
  }

  async #idsOf(
    lookup: ListLookup,
    wanted: ReadonlySet<number>,
    signal: AbortSignal,
  ): Promise<Map<number, VectorId[]>> {
    const count = Math.max(1, this.#facts.lists);
    const lists = unwrap(this.#module.lookupLists(lookup, 0, count)).filter(({ list }) =>
      wanted.has(list),
    );
    const ids = await this.#idsIn(lists, signal);
    return new Map(lists.map(({ list }, i) => [list, ids[i] ?? []]));
  }

  /** Scores the rows that the codes have left. */
  async #score(lookup: ListLookup, signal: AbortSignal): Promise<void> {
    const { rowsOffset, recordSize, size, lists } = this.#facts;
    const rows = unwrap(this.#module.lookupCandidates(lookup));
    const perBlock = lists === 0 ? rowsOfBlock : 1;
    const blockOf = (row: number) => Math.floor(row / perBlock);
    const inBatch = Math.max(perBlock, Math.floor(this.#memory / 2 / recordSize));
    for (let at = 0; at < rows.length; at += inBatch) {
      const batch = rows.slice(at, at + inBatch);
      const blocks = [...new Set(batch.map(blockOf))];
      const parts = blocks.map((block): Part => {
        const first = block * perBlock;
        const count = Math.min(perBlock, size - first);
        return { offset: rowsOffset + first * recordSize, size: count * recordSize };
      });
      const read = await this.#cache.read(parts, rowGap, signal);
      const bytesOfBlock = new Map(blocks.map((block, i) => [block, read[i] as Uint8Array]));
      for (const [first, end] of consecutive(batch, blockOf)) {
        const block = blockOf(first);
        const from = (first - block * perBlock) * recordSize;
        const bytes = bytesOfBlock.get(block) as Uint8Array;
        const records = bytes.subarray(from, from + (end - first) * recordSize);
        unwrap(this.#module.scoreRows(lookup, first, records));
      }
    }
  }
}

function factsOf(module: VectorsModule, reader: ListReader) {
  return unwrap(module.listFileFacts(reader));
}

/** Ranges of numbers that follow one another in the same block. */
function* consecutive(
  rows: readonly number[],
  blockOf: (row: number) => number,
): Generator<readonly [number, number]> {
  for (let i = 0; i < rows.length; ) {
    const first = rows[i] as number;
    let end = first + 1;
    for (i += 1; rows[i] === end && blockOf(end) === blockOf(first); i++) {
      end += 1;
    }
    yield [first, end];
  }
}

/** The limit of `memory`. */
export function checkMemory(memory: number): number {
  if (memory > 0) {
    return memory;
  }
  const message = `The memory is a number of bytes above 0, not ${memory}.`;
  throw new AmbryError('BadValue', message, { path: 'options.memory' });
}
