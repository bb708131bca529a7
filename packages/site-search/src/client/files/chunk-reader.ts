// Fetches chunks of an index. What is asked for at the same time comes together.
import {
  type ChunkKind,
  type ChunkPlaces,
  type ChunkSet,
  decodeChunk,
} from '../../shared/chunks.ts';
import { filePath } from '../../shared/file-name.ts';
import type { KeptFiles } from './kept-files.ts';
import type { SiteFiles } from './site-files.ts';
import { StaleFile } from './stale-file.ts';

type Bytes = Uint8Array<ArrayBuffer>;

interface Waiting {
  readonly i: number;
  readonly resolve: (bytes: Bytes) => void;
  readonly reject: (reason: unknown) => void;
}

export class ChunkReader {
  readonly #kind: ChunkKind;
  readonly #set: ChunkSet;
  readonly #places: ChunkPlaces;
  readonly #files: SiteFiles;
  readonly #kept: KeptFiles;
  readonly #isAgain: boolean;
  #waiting: Waiting[] = [];

  constructor(
    kind: ChunkKind,
    set: ChunkSet,
    places: ChunkPlaces,
    { files, kept, isAgain }: { files: SiteFiles; kept: KeptFiles; isAgain: boolean },
  ) {
    this.#kind = kind;
    this.#set = set;
    this.#places = places;
    this.#files = files;
    this.#kept = kept;
    this.#isAgain = isAgain;
  }

  /** The pack that has the chunk. */
  pathOf(i: number): string {
    const { packBytes, name } = this.#set;
    return filePath.pack(this.#kind, name, this.#places.in(i, packBytes).file);
  }

  /** Rejects with a `StaleFile` if the file is gone or has no such chunk. */
  get(i: number): Promise<Bytes> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) {
        // Everything that is asked for until then comes with it.
        setTimeout(() => this.#fetch());
      }
      this.#waiting.push({ i, resolve, reject });
    });
  }

  #fetch(): void {
    const files = new Map<number, Waiting[]>();
    for (const one of this.#waiting) {
      const { file } = this.#places.in(one.i, this.#set.longBytes || this.#set.packBytes);
      const others = files.get(file) ?? [];
      files.set(file, others);
      others.push(one);
    }
    this.#waiting = [];
    for (const [file, waiting] of files) {
      this.#fetchFrom(file, waiting).catch((reason) => {
        for (const { reject } of waiting) {
          reject(reason);
        }
      });
    }
  }

  async #fetchFrom(file: number, waiting: readonly Waiting[]): Promise<void> {
    const { name, longBytes } = this.#set;
    const path = filePath.long(this.#kind, name, file);
    const found =
      longBytes > 0
        ? await this.#files.ranges(
            path,
            waiting.map(({ i }) => this.#rangeOf(i, longBytes)),
            this.#isAgain,
          )
        : undefined;
    const chunks = found && this.#decoded(found, waiting, path);
    if (chunks) {
      waiting.forEach(({ resolve }, at) => {
        resolve(chunks[at] as Bytes);
      });
      return;
    }
    await Promise.all(waiting.map(async ({ i, resolve }) => resolve(await this.#inPack(i))));
  }

  /** Undefined if a chunk is another one: the host has sent other bytes than it says. */
  #decoded(
    found: readonly Bytes[],
    waiting: readonly Waiting[],
    path: string,
  ): Bytes[] | undefined {
    try {
      return waiting.map(({ i }, at) => decodeChunk(this.#set.name, i, found[at] as Bytes, path));
    } catch {
      this.#files.refuseRanges();
      return undefined;
    }
  }

  async #inPack(i: number): Promise<Bytes> {
    const path = this.pathOf(i);
    const pack = await this.#kept.get(path, async () => {
      const value = await this.#files.file(path, undefined, this.#isAgain);
      return { value, bytes: value.length };
    });
    const stored = pack.subarray(...this.#rangeOf(i, this.#set.packBytes));
    try {
      return decodeChunk(this.#set.name, i, stored, path);
    } catch (cause) {
      throw new StaleFile(path, 'it cannot be read', 'Mismatch', cause);
    }
  }

  #rangeOf(i: number, fileBytes: number): [number, number] {
    const { from, to } = this.#places.in(i, fileBytes);
    return [from, to];
  }
}
