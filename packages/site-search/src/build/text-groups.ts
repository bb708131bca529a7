// Writes the texts of the parts in groups. The name of a group is the hash of all its texts.
import { filePath, groupSize } from '../shared/file-name.ts';
import type { PartText, StoredPart } from '../shared/part-text.ts';
import { type IndexWriter, nameOf, packed } from './index-writer.ts';

export class TextGroups {
  readonly #writer: IndexWriter;
  readonly #names: string[] = [];
  #parts: PartText[] = [];

  constructor(writer: IndexWriter) {
    this.#writer = writer;
  }

  async add(part: PartText): Promise<void> {
    this.#parts.push(part);
    if (this.#parts.length === groupSize) await this.#end();
  }

  /** The names of the groups. */
  async finish(): Promise<readonly string[]> {
    if (this.#parts.length > 0) await this.#end();
    return this.#names;
  }

  async #end(): Promise<void> {
    const group = nameOf(JSON.stringify(this.#parts));
    for (const [place, part] of this.#parts.entries()) {
      const stored: StoredPart = { group, place, ...part };
      await this.#writer.write(filePath.text(group, place), await packed(JSON.stringify(stored)));
    }
    this.#names.push(group);
    this.#parts = [];
  }
}
