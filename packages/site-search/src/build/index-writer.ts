// Writes the files of an index. All but the manifest are named by what they hold; the manifest comes last, and then the
// files that it does not name are removed. So the index before stays whole until the new one is.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { AmbryError } from 'ambry/encoder';
import { elementBanner, elementFolder, elementScript } from '../shared/element-paths.ts';
import { fileName, filePath, manifestName, nameDigest } from '../shared/file-name.ts';
import type { Manifest } from '../shared/manifest.ts';

const deflated = promisify(deflate);
const folders = ['words', 'vectors', 'texts', 'tables', 'model', elementFolder];
/** Names of files that this program has written. The last kind of name is that of the element's files. */
const ownFile =
  /^[\w-]{12}(\.bin|\.weights|\.LICENSE)?$|^\d+\.bin$|^[\w-]+-[\w-]{8}\.(js|css|wasm)$/;

type StoredKind = 'centroids' | 'table' | 'model';
type SetKind = 'words' | 'list';

export class IndexWriter {
  readonly #out: string;
  readonly #written = new Set<string>();
  #bytes = 0;

  constructor(out: string) {
    this.#out = out;
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
    return this.add(kind, await packed(bytes));
  }

  /** Writes files that have one name together, and returns it. Each begins with that name, so that a reader knows it. */
  async addSet(kind: SetKind, files: readonly Uint8Array[]): Promise<string> {
    const hash = createHash('sha256');
    for (const file of files) {
      hash.update(createHash('sha256').update(file).digest());
    }
    const name = fileName(hash.digest());
    const mark = nameDigest(name);
    for (const [place, file] of files.entries()) {
      await this.write(filePath[kind](name, place), Buffer.concat([mark, file]));
    }
    return name;
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
      await mkdir(dirname(file), { recursive: true });
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

export async function packed(bytes: Uint8Array | string): Promise<Uint8Array> {
  return deflated(bytes, { level: 9 });
}
