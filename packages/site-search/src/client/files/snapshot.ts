// An index as one manifest names it. After a deploy there is another snapshot.
import { AmbryError } from 'ambry/terms';
import type { ChunkKind } from '../../shared/chunks.ts';
import { filePath } from '../../shared/file-name.ts';
import { type Centroid, decodeCentroids, decodeList, type RowList } from '../../shared/lists.ts';
import type { Manifest, VectorsInfo } from '../../shared/manifest.ts';
import { streamStart } from '../../shared/packed-text.ts';
import type { PageTable } from '../../shared/page-table.ts';
import { type PartText, parsePart } from '../../shared/part-text.ts';
import { decodeStart, type StartFile } from '../../shared/start-file.ts';
import { decodeWordShard, type StoredEntry } from '../../shared/word-shard.ts';
import { ChunkReader } from './chunk-reader.ts';
import { KeptFiles } from './kept-files.ts';
import { unpacked, unpackedText } from './read-body.ts';
import type { SiteFiles } from './site-files.ts';
import { StaleFile } from './stale-file.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** An index that is searched by words alone. */
const noVectors: VectorsInfo = {
  dim: 0,
  bits: 1,
  centroidForm: { dim: 0, bits: 1 },
  rowsRead: 0,
  recall: 0,
  meanCosine: 0,
  deviation: 1,
  closeFrom: 0,
};

export class Snapshot {
  readonly manifest: Manifest;
  readonly #files: SiteFiles;
  readonly #isAgain: boolean;
  readonly #kept = new KeptFiles();
  readonly #readers = new Map<ChunkKind, ChunkReader>();
  #textStart: Promise<{ readonly start: Uint8Array; readonly length: number }> | undefined;

  /** `isAgain` for the snapshot after a stale one: caches on the way may have stale files too. */
  constructor(manifest: Manifest, files: SiteFiles, isAgain: boolean) {
    this.manifest = manifest;
    this.#files = files;
    this.#isAgain = isAgain;
  }

  /** Whether queries can be compared by their meaning. */
  get hasMeaning(): boolean {
    return this.manifest.vectors !== undefined;
  }

  get vectors(): VectorsInfo {
    return this.manifest.vectors ?? noVectors;
  }

  /** The words of a shard, in the order of their keys. */
  wordShard(i: number): Promise<readonly StoredEntry[]> {
    return this.#chunk('words', i, async (bytes, path) =>
      decodeWordShard(await unpacked(bytes, path), path),
    );
  }

  /** What is at or below the first key of each shard of words, and above all keys before it. */
  wordKeys(): Promise<readonly string[]> {
    return this.keysOf('words');
  }

  /** The first keys of the chunks of a set. */
  async keysOf(kind: ChunkKind): Promise<readonly string[]> {
    return (await this.#start()).sets[kind]?.keys ?? [];
  }

  /** A chunk of a set, unpacked. */
  shardBytes(kind: ChunkKind, i: number): Promise<Bytes> {
    return this.#chunk(kind, i, unpacked);
  }

  async table(): Promise<PageTable> {
    return (await this.#start()).table;
  }

  /** The values of a filter with the parts that have them. */
  filter(name: string): Promise<ReadonlyMap<string, readonly number[]>> {
    const { filters, parts } = this.manifest;
    const file = filters[name] as string;
    return this.#file(filePath.table(file), file, async (bytes, path) =>
      filterValues(await unpacked(bytes, path), parts, path),
    );
  }

  centroids(): Promise<readonly Centroid[]> {
    const { start } = this.manifest;
    const { centroids: file = start, centroidForm } = this.vectors;
    const isOwn = file !== start;
    const path = isOwn ? filePath.centroids(file) : filePath.table(start);
    const fetched = async () =>
      isOwn ? this.#files.file(path, file, this.#isAgain) : (await this.#start()).centroids;
    return this.#read('centroids', path, fetched, async (bytes) =>
      decodeCentroids(bytes, centroidForm, path),
    );
  }

  /** The list of the centroid at this place. */
  list(place: number): Promise<RowList> {
    const { parts } = this.manifest;
    return this.#chunk('vectors', place, async (bytes, path) =>
      decodeList(bytes, this.vectors, parts, path),
    );
  }

  text(part: number): Promise<PartText> {
    return this.#chunk('texts', part, async (bytes, path) => {
      const text = await unpackedText(bytes, await this.#beforeTexts(), path);
      return parsePart(new TextDecoder().decode(text), path);
    });
  }

  /** What stands before each text in the stream that is unpacked. */
  #beforeTexts(): Promise<{ readonly start: Uint8Array; readonly length: number }> {
    this.#textStart ??= this.#start().then(({ dictionary }) => ({
      start: streamStart(dictionary),
      length: dictionary.length,
    }));
    return this.#textStart;
  }

  #start(): Promise<StartFile> {
    const { start, sets } = this.manifest;
    if (Object.values(sets).some(({ longBytes }) => longBytes > 0)) {
      // The host answers while the start file arrives.
      this.#files.rangeMode();
    }
    return this.#file(filePath.table(start), start, async (bytes, path) =>
      decodeStart(await unpacked(bytes, path), this.manifest, path),
    );
  }

  async #chunk<T>(
    kind: ChunkKind,
    i: number,
    decode: (bytes: Bytes, path: string) => Promise<T>,
  ): Promise<T> {
    const set = this.manifest.sets[kind];
    const start = await this.#start();
    const places = start.sets[kind]?.places;
    if (!set || !places || i >= places.count) {
      const path = filePath.table(this.manifest.start);
      throw new StaleFile(path, `it has no ${kind} ${i}`, 'Mismatch');
    }
    const known = this.#readers.get(kind);
    const context = { files: this.#files, kept: this.#kept, isAgain: this.#isAgain };
    const reader = known ?? new ChunkReader(kind, set, places, context);
    this.#readers.set(kind, reader);
    const path = reader.pathOf(i);
    return this.#read(
      `${kind} ${i}`,
      path,
      () => reader.get(i),
      (bytes) => decode(bytes, path),
    );
  }

  #file<T>(
    path: string,
    name: string,
    decode: (bytes: Bytes, path: string) => Promise<T>,
  ): Promise<T> {
    const fetched = () => this.#files.file(path, name, this.#isAgain);
    return this.#read(path, path, fetched, (bytes) => decode(bytes, path));
  }

  #read<T>(
    key: string,
    path: string,
    fetched: () => Promise<Bytes>,
    decode: (bytes: Bytes) => Promise<T>,
  ): Promise<T> {
    return this.#kept.get(key, async () => {
      const bytes = await fetched();
      try {
        return { value: await decode(bytes), bytes: bytes.length };
      } catch (cause) {
        if (cause instanceof AmbryError && cause.code === 'LimitExceeded') {
          throw cause;
        }
        // Servers that answer every address with a page do so for a file that is gone.
        throw new StaleFile(path, 'it cannot be read', 'Mismatch', cause);
      }
    });
  }
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
