// An index as one manifest names it. After a deploy there is another snapshot.
import { AmbryError } from 'ambry/static-encoder';
import { filePath, groupSize, nameDigest } from '../shared/file-name.ts';
import { type Centroid, decodeCentroids, decodeList, type RowList } from '../shared/lists.ts';
import type { Manifest } from '../shared/manifest.ts';
import { PageTable } from '../shared/page-table.ts';
import { type PartText, parseParts } from '../shared/part-text.ts';
import { decodeKeys, decodeWordShard, type StoredEntry } from '../shared/word-shard.ts';
import { KeptFiles } from './kept-files.ts';
import { unpacked } from './read-body.ts';
import type { SiteFiles } from './site-files.ts';
import { StaleFile } from './stale-file.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export class Snapshot {
  readonly manifest: Manifest;
  readonly #files: SiteFiles;
  readonly #isAgain: boolean;
  readonly #kept = new KeptFiles();

  /** `isAgain` for the snapshot after a stale one: caches on the way may have stale files too. */
  constructor(manifest: Manifest, files: SiteFiles, isAgain: boolean) {
    this.manifest = manifest;
    this.#files = files;
    this.#isAgain = isAgain;
  }

  /** The words of a shard, in the order of their keys. */
  wordShard(i: number): Promise<readonly StoredEntry[]> {
    const { set } = this.manifest.words;
    return this.#read(filePath.words(set, i), undefined, async (bytes, path) =>
      decodeWordShard(await unpacked(withoutMark(bytes, set, path), path), path),
    );
  }

  /** The first key of each shard of words. */
  wordKeys(): Promise<readonly string[]> {
    const { keys } = this.manifest.words;
    return this.#read(filePath.table(keys), keys, async (bytes, path) =>
      decodeKeys(await unpacked(bytes, path), path),
    );
  }

  table(): Promise<PageTable> {
    const { table } = this.manifest;
    return this.#read(
      filePath.table(table),
      table,
      async (bytes, path) => new PageTable(await unpacked(bytes, path), this.manifest, path),
    );
  }

  /** The values of a filter with the parts that have them. */
  filter(name: string): Promise<ReadonlyMap<string, readonly number[]>> {
    const { filters, parts } = this.manifest;
    const file = filters[name] as string;
    return this.#read(filePath.table(file), file, async (bytes, path) =>
      filterValues(await unpacked(bytes, path), parts, path),
    );
  }

  centroids(): Promise<readonly Centroid[]> {
    const { vectors } = this.manifest;
    const { centroids } = vectors;
    return this.#read(filePath.centroids(centroids), centroids, async (bytes, path) =>
      decodeCentroids(bytes, vectors.centroidForm, path),
    );
  }

  /** The list of the centroid at this place. */
  list(place: number): Promise<RowList> {
    const { vectors, parts } = this.manifest;
    const { set } = vectors;
    return this.#read(filePath.list(set, place), undefined, async (bytes, path) =>
      decodeList(withoutMark(bytes, set, path), vectors, parts, path),
    );
  }

  async text(part: number): Promise<PartText> {
    const { texts, partsPerFile } = this.manifest;
    const group = texts[Math.floor(part / groupSize)] as string;
    const place = Math.floor((part % groupSize) / partsPerFile);
    const path = filePath.text(group, place);
    const parts = await this.#read(path, undefined, async (bytes) => {
      const stored = parseParts(new TextDecoder().decode(await unpacked(bytes, path)), path);
      if (stored.group === group && stored.place === place) {
        return stored.parts;
      }
      throw new StaleFile(path, 'it holds another text', 'Mismatch');
    });
    const text = parts[(part % groupSize) % partsPerFile];
    if (!text) {
      throw new StaleFile(path, 'it holds fewer texts', 'Mismatch');
    }
    return text;
  }

  #read<T>(
    path: string,
    name: string | undefined,
    decode: (bytes: Bytes, path: string) => Promise<T>,
  ): Promise<T> {
    return this.#kept.get(path, async () => {
      const bytes = await this.#files.file(path, name, this.#isAgain);
      try {
        return { value: await decode(bytes, path), bytes: bytes.length };
      } catch (cause) {
        if (cause instanceof StaleFile) {
          throw cause;
        }
        if (cause instanceof AmbryError && cause.code === 'LimitExceeded') {
          throw cause;
        }
        // Servers that answer every address with a page do so for a file that is gone.
        throw new StaleFile(path, 'it cannot be read', 'Mismatch', cause);
      }
    });
  }
}

/** A file of a set begins with the name of the set. */
function withoutMark(bytes: Bytes, set: string, path: string): Bytes {
  const mark = nameDigest(set);
  if (mark.every((byte, i) => byte === bytes[i])) {
    return bytes.subarray(mark.length);
  }
  throw new StaleFile(path, 'it holds something else', 'Mismatch');
}

function filterValues(bytes: Bytes, partCount: number, path: string): Map<string, number[]> {
  const values = new Map<string, number[]>();
  const lists: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (!Array.isArray(lists)) {
    throw new AmbryError('BadValue', `${path} has no list.`, { path });
  }
  for (const [value, gaps] of lists as [string, number[]][]) {
    let part = 0;
    const parts = gaps.map((gap) => {
      part += gap;
      return part;
    });
    const isGood = typeof value === 'string' && parts.every((one) => one >= 0 && one < partCount);
    if (!isGood) {
      throw new AmbryError('BadValue', `${path} has a wrong value.`, { path });
    }
    values.set(value, parts);
  }
  return values;
}
