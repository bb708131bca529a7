// The texts of all parts, packed while the pages are read. Parts of a page are neighbours.
import { deflateRawSync } from 'node:zlib';
import type { ChunkSet } from '../../shared/chunks.ts';
import { checksum } from '../../shared/packed-text.ts';
import type { PartText } from '../../shared/part-text.ts';
import type { IndexWriter } from './index-writer.ts';
import { dictionaryOf } from './text-dictionary.ts';

/** The dictionary is made of the first texts of a large site, so that not all of them are kept as they are. */
const waitingTexts = 4096;
/** The window holds a text and the dictionary. Higher levels take a fifth more time, and save a byte of a thousand. */
const packing = { level: 5, windowBits: 13, memLevel: 6 } as const;

export class TextStore {
  readonly #packed: Uint8Array[] = [];
  #waiting: Uint8Array[] = [];
  #dictionary: Uint8Array | undefined;
  #checksum = 1;

  add(part: PartText): void {
    const text = Buffer.from(JSON.stringify(part));
    if (this.#dictionary) {
      this.#pack(text, this.#dictionary);
      return;
    }
    this.#waiting.push(text);
    if (this.#waiting.length === waitingTexts) {
      this.#packWaiting();
    }
  }

  /** Writes the texts to at most `mostFiles` files. `dictionary` is what all of them are packed with. Throws `BadValue` if they
   *  need more files. */
  async write(
    writer: IndexWriter,
    mostFiles: number,
  ): Promise<{ readonly set: ChunkSet; readonly dictionary: Uint8Array }> {
    const dictionary = this.#dictionary ?? this.#packWaiting();
    return { set: await writer.addChunks('texts', this.#packed, { mostFiles }), dictionary };
  }

  #packWaiting(): Uint8Array {
    const dictionary = dictionaryOf(this.#waiting);
    this.#dictionary = dictionary;
    this.#checksum = checksum(dictionary);
    for (const text of this.#waiting) {
      this.#pack(text, dictionary);
    }
    this.#waiting = [];
    return dictionary;
  }

  #pack(text: Uint8Array, dictionary: Uint8Array): void {
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(checksum(text, this.#checksum));
    const options = { ...packing, ...(dictionary.length > 0 && { dictionary }) };
    this.#packed.push(Buffer.concat([deflateRawSync(text, options), sum]));
  }
}
