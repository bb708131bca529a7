// Writes the texts of the parts in groups. The name of a group is the hash of all its texts.
import { AmbryError } from 'ambry/encoder';
import { filePath, groupSize } from '../shared/file-name.ts';
import type { PartText, StoredParts } from '../shared/part-text.ts';
import { type IndexWriter, nameOf, packed } from './index-writer.ts';

interface WrittenTexts {
  /** The names of the groups. */
  readonly texts: readonly string[];
  readonly partsPerFile: number;
}

export class TextGroups {
  readonly #writer: IndexWriter;
  /** The texts of all parts, because their number decides how many have a file together. */
  readonly #parts: PartText[] = [];

  constructor(writer: IndexWriter) {
    this.#writer = writer;
  }

  add(part: PartText): void {
    this.#parts.push(part);
  }

  /** Writes the texts to at most `mostFiles` files. Throws `BadValue` if they need more. */
  async write(mostFiles: number): Promise<WrittenTexts> {
    const partsPerFile = partsOfFile(this.#parts.length, mostFiles);
    const texts: string[] = [];
    for (let at = 0; at < this.#parts.length; at += groupSize) {
      texts.push(await this.#writeGroup(this.#parts.slice(at, at + groupSize), partsPerFile));
    }
    return { texts, partsPerFile };
  }

  async #writeGroup(parts: readonly PartText[], partsPerFile: number): Promise<string> {
    const group = nameOf(JSON.stringify([partsPerFile, parts]));
    for (let place = 0; place * partsPerFile < parts.length; place++) {
      const own = parts.slice(place * partsPerFile, (place + 1) * partsPerFile);
      const stored: StoredParts = { group, place, parts: own };
      await this.#writer.write(filePath.text(group, place), await packed(JSON.stringify(stored)));
    }
    return group;
  }
}

/** The least number of parts of a file with which there are no more files. */
function partsOfFile(parts: number, mostFiles: number): number {
  for (let count = 1; count <= groupSize; count++) {
    if (filesOf(parts, count) <= mostFiles) {
      return count;
    }
  }
  const least = filesOf(parts, groupSize) - mostFiles;
  const message = `maxFiles must be larger by at least ${least}: the index needs these files.`;
  throw new AmbryError('BadValue', message, { path: 'options.maxFiles' });
}

function filesOf(parts: number, partsPerFile: number): number {
  const ofGroup = Math.ceil(groupSize / partsPerFile);
  const rest = parts % groupSize;
  return Math.floor(parts / groupSize) * ofGroup + Math.ceil(rest / partsPerFile);
}
