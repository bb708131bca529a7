// The texts of all parts, packed while the pages are read. Parts of a page are neighbours.
import type { ChunkSet } from '../shared/chunks.ts';
import type { PartText } from '../shared/part-text.ts';
import { type IndexWriter, packed } from './index-writer.ts';

export class TextStore {
  readonly #packed: Promise<Uint8Array>[] = [];

  add(part: PartText): void {
    const packing = packed(JSON.stringify(part));
    // Who writes them hears of a failure.
    packing.catch(() => {});
    this.#packed.push(packing);
  }

  /** Writes the texts to at most `mostFiles` files. Throws `BadValue` if they need more. */
  async write(writer: IndexWriter, mostFiles: number): Promise<ChunkSet> {
    return writer.addChunks('texts', await Promise.all(this.#packed), { mostFiles });
  }
}
