// The texts of all parts, packed while the pages are read. Parts of a page are neighbours.
import type { ChunkSet } from '../shared/chunks.ts';
import type { PartText } from '../shared/part-text.ts';
import { type IndexWriter, packed } from './index-writer.ts';

export class TextStore {
  readonly #packed: Uint8Array[] = [];

  add(part: PartText): void {
    this.#packed.push(packed(JSON.stringify(part)));
  }

  /** Writes the texts to at most `mostFiles` files. Throws `BadValue` if they need more. */
  async write(writer: IndexWriter, mostFiles: number): Promise<ChunkSet> {
    return writer.addChunks('texts', this.#packed, { mostFiles });
  }
}
