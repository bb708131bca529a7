// Vectors in a file to which blocks are appended (worker-blocks.ts). Checksums find damaged or incomplete blocks, and
// their vectors count as not kept. A file of another model or prompt is started anew.
import type { FoundVectors, VectorFingerprint } from './protocol.ts';
import type { VectorFile } from './vector-file.ts';
import {
  type Block,
  type BlockWithKeys,
  blockEnd,
  blockIn,
  blockOf,
  headOf,
  isSameHead,
  keyBytes,
  mostRows,
  readBlock,
  readRows,
} from './worker-blocks.ts';

/** Flushes after this many bytes. A power failure may lose them. */
const flushBytes = 8 << 20;

export class KeptVectors {
  readonly #file: VectorFile;
  readonly #dim: number;
  readonly #blocks: Block[] = [];
  /** Maps a key to the number of its block × mostRows + its row in the block. */
  readonly #places = new Map<string, number>();
  #end: number;
  #flushed: number;
  /** The end of the queue of operations that must not overlap. */
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(file: VectorFile, dim: number, end: number) {
    this.#file = file;
    this.#dim = dim;
    this.#end = end;
    this.#flushed = end;
  }

  /** Takes ownership of the file, and closes it. */
  static async open(file: VectorFile, fingerprint: VectorFingerprint): Promise<KeptVectors> {
    try {
      const dim = fingerprint.probe.length;
      const head = headOf(fingerprint);
      const kept = new KeptVectors(file, dim, head.length);
      if (isSameHead(await file.read(0, head.length), head, dim)) {
        await kept.#readBlocks();
      } else {
        await file.truncate(0);
        await file.write(0, head);
      }
      return kept;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** The number of texts whose vectors are kept. */
  get size(): number {
    return this.#places.size;
  }

  async find(texts: readonly string[]): Promise<FoundVectors> {
    const keys = await keysOf(texts);
    return this.#alone(async () => {
      const found = new Uint8Array(texts.length);
      const rows = new Float32Array(texts.length * this.#dim);
      const wanted = keys
        .map((key, i) => ({ i, place: this.#places.get(nameOf(key)) ?? -1 }))
        .filter(({ place }) => place >= 0)
        .sort((a, b) => a.place - b.place);
      let held = -1;
      let block: Float32Array | undefined;
      for (const { i, place } of wanted) {
        const number = Math.floor(place / mostRows);
        if (number !== held) {
          block = await this.#rowsOf(number);
        }
        held = number;
        if (!block) {
          continue;
        }
        const at = (place % mostRows) * this.#dim;
        rows.set(block.subarray(at, at + this.#dim), i * this.#dim);
        found[i] = 1;
      }
      return { found, rows };
    });
  }

  /** Appends one row per text. After a failure the file is as it was before. */
  async keep(texts: readonly string[], rows: Float32Array<ArrayBuffer>): Promise<void> {
    const keys = await keysOf(texts);
    await this.#alone(async () => {
      for (let at = 0; at < keys.length; at += mostRows) {
        const end = Math.min(at + mostRows, keys.length);
        const part = rows.subarray(at * this.#dim, end * this.#dim);
        await this.#append(blockOf(keys.slice(at, end), part));
      }
    });
  }

  close(): Promise<void> {
    return this.#alone(() => this.#file.close());
  }

  async #append(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const at = this.#end;
    try {
      await this.#file.write(at, bytes);
      if (at + bytes.length - this.#flushed >= flushBytes) {
        await this.#file.flush();
        this.#flushed = at + bytes.length;
      }
    } catch (error) {
      await this.#file.truncate(at).catch(() => {});
      throw error;
    }
    this.#take(blockIn(bytes, at) as BlockWithKeys);
  }

  async #readBlocks(): Promise<void> {
    const size = await this.#file.size();
    for (;;) {
      const found = await readBlock(this.#file, { at: this.#end, size, dim: this.#dim });
      if (!found) {
        break;
      }
      this.#take(found);
    }
    this.#flushed = this.#end;
    if (size > this.#end) {
      await this.#file.truncate(this.#end);
    }
  }

  #take({ block, keys }: BlockWithKeys): void {
    const first = this.#blocks.push(block) * mostRows - mostRows;
    for (let row = 0; row < block.rows; row++) {
      const key = keys.subarray(row * keyBytes, (row + 1) * keyBytes);
      this.#places.set(nameOf(key), first + row);
    }
    this.#end = blockEnd(block, this.#dim);
  }

  /** Undefined for a damaged block, whose texts are then dropped. */
  async #rowsOf(number: number): Promise<Float32Array | undefined> {
    const rows = await readRows(this.#file, this.#blocks[number] as Block, this.#dim);
    if (rows) {
      return rows;
    }
    for (const [key, place] of this.#places) {
      if (Math.floor(place / mostRows) === number) {
        this.#places.delete(key);
      }
    }
    return undefined;
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work, work);
    this.#turn = turn;
    return turn;
  }
}

function keysOf(texts: readonly string[]): Promise<Uint8Array[]> {
  const encoder = new TextEncoder();
  return Promise.all(
    texts.map(async (text) => {
      const digest = await crypto.subtle.digest('SHA-256', encoder.encode(text));
      return new Uint8Array(digest, 0, keyBytes);
    }),
  );
}

const nameOf = (key: Uint8Array): string => String.fromCharCode(...key);
