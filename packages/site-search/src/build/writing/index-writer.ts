// Writes the files of an index. All but the manifest are named by what they hold; the manifest comes last, and then the
// files that it does not name are removed. So the index before stays whole until the new one is.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { AmbryError } from 'ambry/encoder';
import { type ChunkKind, type ChunkSet, chunkKinds } from '../../shared/chunks.ts';
import { elementBanner, elementFolder, elementScript } from '../../shared/element-paths.ts';
import { fileName, filePath, manifestName } from '../../shared/file-name.ts';
import type { Manifest } from '../../shared/manifest.ts';
import type { SetTable } from '../../shared/start-file.ts';
import { filesOfSet } from './chunk-files.ts';

const folders = [...chunkKinds, 'tables', 'model', elementFolder];
/** Names of files that this program has written. The last kind of name is that of the element's files. */
const ownFile =
  /^[\w-]{12}(\.bin|\.weights|\.LICENSE)?$|^(all-)?\d+\.bin$|^ranges\.bin$|^[\w-]+-[\w-]{8}\.(js|css|wasm)$/;

type StoredKind = 'centroids' | 'table' | 'model';
/** Files that are written at the same time. */
const together = 16;

export class IndexWriter {
  readonly #out: string;
  readonly #hasLong: boolean;
  readonly #written = new Set<string>();
  readonly #folders = new Set<string>();
  readonly #tables: Partial<Record<ChunkKind, SetTable>> = {};
  #bytes = 0;

  /** `hasLong` writes the files for hosts that answer range requests. */
  constructor(out: string, hasLong = true) {
    this.#out = out;
    this.#hasLong = hasLong;
  }

  /** Where the chunks are of the sets that were added. */
  get tables(): Readonly<Partial<Record<ChunkKind, SetTable>>> {
    return this.#tables;
  }

  get files(): number {
    return this.#written.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Writes a file as it is, and returns its name. */
  async add(kind: StoredKind, bytes: Uint8Array): Promise<string> {
    const name = nameOf(bytes);
    await this.write(filePath[kind](name), bytes);
    return name;
  }

  /** Writes a file that the client unpacks, and returns its name. */
  async addPacked(kind: StoredKind, bytes: Uint8Array): Promise<string> {
    return this.add(kind, packed(bytes));
  }

  /**
   * Writes what a search looks up. A chunk is asked for by its number, which a reader finds by the first key of each chunk
   * where chunks have keys. Throws `BadValue` if there would be more than `mostFiles`.
   */
  async addChunks(
    kind: ChunkKind,
    chunks: readonly Uint8Array[],
    {
      keys = [],
      mostFiles = Number.POSITIVE_INFINITY,
    }: { keys?: string[]; mostFiles?: number } = {},
  ): Promise<ChunkSet> {
    const made = filesOfSet(kind, chunks, { keys, hasLong: this.#hasLong, mostFiles });
    if (!made) {
      const message = `maxFiles must be larger by at least ${2 - mostFiles}: the index needs these files.`;
      throw new AmbryError('BadValue', message, { path: 'options.maxFiles' });
    }
    const { set, table, files } = made;
    this.#tables[kind] = table;
    for (let at = 0; at < files.length; at += together) {
      const some = files.slice(at, at + together);
      await Promise.all(some.map(({ path, bytes }) => this.write(path, bytes)));
    }
    return set;
  }

  /** Writes a file whose path says what it holds. */
  async write(path: string, bytes: Uint8Array): Promise<void> {
    if (this.#written.has(path)) {
      return;
    }
    this.#written.add(path);
    this.#bytes += bytes.length;
    const file = join(this.#out, path);
    // Another run has written it, with the same content.
    if (ownFile.test(path.split('/').at(-1) ?? '') && existsSync(file)) {
      return;
    }
    await this.#replace(file, bytes);
  }

  /** Ends the index. */
  async finish(manifest: Manifest): Promise<void> {
    const json = new TextEncoder().encode(`${JSON.stringify(manifest)}\n`);
    this.#written.add(manifestName);
    this.#bytes += json.length;
    await this.#replace(join(this.#out, manifestName), json);
    for (const folder of folders) {
      await this.#removeOthers(folder);
    }
    await this.#removeScript();
  }

  /** Through a draft, so that nobody reads half a file. */
  async #replace(file: string, bytes: Uint8Array): Promise<void> {
    const draft = `${file}.${process.pid}.part`;
    try {
      await this.#makeFolder(dirname(file));
      await writeFile(draft, bytes);
      await rename(draft, file);
    } catch (cause) {
      await rm(draft, { force: true }).catch(() => {});
      const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
      throw new AmbryError('NotFound', `${file} cannot be written (${reason}).`, {
        path: 'out',
        cause,
      });
    }
  }

  async #makeFolder(folder: string): Promise<void> {
    if (!this.#folders.has(folder)) {
      await mkdir(folder, { recursive: true });
      this.#folders.add(folder);
    }
  }

  /** Removes the script of the element, if this index has none. */
  async #removeScript(): Promise<void> {
    if (this.#written.has(elementScript)) {
      return;
    }
    const file = join(this.#out, elementScript);
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.startsWith(elementBanner)) {
      await rm(file);
    }
  }

  /** Removes files of an index before. Other files stay. */
  async #removeOthers(below: string): Promise<void> {
    const folder = join(this.#out, below);
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    let isEmpty = true;
    for (const entry of entries) {
      const path = `${below}/${entry.name}`;
      if (entry.isDirectory() && ownFile.test(entry.name)) {
        await this.#removeOthers(path);
      } else if (!this.#written.has(path) && entry.isFile() && ownFile.test(entry.name)) {
        await rm(join(this.#out, path));
        continue;
      }
      isEmpty &&= entry.isDirectory() && !existsSync(join(this.#out, path));
    }
    if (isEmpty) {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

export function nameOf(bytes: Uint8Array | string): string {
  return fileName(createHash('sha256').update(bytes).digest());
}

/** Where a small window is enough, less memory is cleared for each of many chunks. */
const smallBytes = 4096;
const forSmall = { windowBits: 12, memLevel: 6 } as const;

/** Chunks are short: to give them to other threads takes four times as long. */
export function packed(bytes: Uint8Array): Uint8Array {
  return deflateSync(bytes, { level: 9, ...(bytes.length <= smallBytes && forSmall) });
}
