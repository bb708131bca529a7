// What a reload finds again: documents as passages, and which model was open. It lies in the origin-private
// file system: a file for the documents that came together, one for a model without an address, and one that
// names them all and is written last, so that whatever cuts the work off leaves the last whole state.

import type { Doc } from 'ambry';
import { newId } from '../documents/passage-queue.ts';
import { urlFacts } from '../model/model-sources.ts';
import { builtInFacts, type ModelFacts } from '../model/open-model.ts';
import type { DocumentSource } from '../state.ts';
import { fileAt, namesIn, removeFile, writeFile } from './opfs.ts';
import { linesOf, readPassages } from './passage-lines.ts';
import { keptFolder, kWorkspaceFolder } from './saved-folder.ts';

const kManifest = 'workspace.json';
const kLock = 'ambry-workspace';
/** After a reload, the page before this one may not be gone yet. */
const kLockPatienceMs = 3000;

type KeptModel =
  | { readonly kind: 'built-in' }
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'file'; readonly name: string; readonly file: string };

interface KeptSource {
  readonly id: string;
  readonly name: string;
  /** Where its passages are, a line each, behind a line with its id. */
  readonly file: string;
  /** The index file that it came in. */
  readonly imported?: string;
}

interface Manifest {
  readonly version: 1;
  readonly model: KeptModel;
  readonly builtInNotes: boolean;
  readonly sources: readonly KeptSource[];
}

/** What the page shows and a reload should find. */
export interface Contents {
  readonly model: ModelFacts;
  readonly builtInNotes: boolean;
  readonly sources: readonly DocumentSource[];
}

export class Workspace {
  /** In which file the contents of a blob are. */
  readonly #files = new WeakMap<Blob, string>();
  /** In which file the passages of a document are. */
  readonly #fileOf = new Map<string, string>();
  #lock: Promise<boolean> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** What the last visit left, all of it waiting to be indexed; null for nothing. Throws for what cannot be read. */
  async read(): Promise<Contents | null> {
    const folder = await keptFolder();
    if (folder === undefined || !(await namesIn(folder)).includes(kManifest)) {
      return null;
    }
    const text = await (await fileAt(folder, kManifest)).text();
    const { model, builtInNotes, sources } = JSON.parse(text) as Manifest;
    const passages = new Map<string, Doc[]>();
    for (const file of new Set(sources.map((source) => source.file))) {
      readPassages(await (await fileAt(folder, file)).text(), passages);
    }
    return {
      model: await this.#readModel(folder, model),
      builtInNotes,
      sources: await Promise.all(
        sources.map((source) => this.#readSource(folder, source, passages.get(source.id))),
      ),
    };
  }

  /** Keeps this instead of what was kept before. False while another tab keeps what it has. */
  save(contents: Contents): Promise<boolean> {
    return this.#inTurn(async () => {
      if (!(await this.#own())) {
        return false;
      }
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle(kWorkspaceFolder, { create: true });
      const there = new Set(await namesIn(folder));
      const { builtInNotes } = contents;
      const model = await this.#saveModel(folder, contents.model, there);
      const sources = builtInNotes ? [] : await this.#saveSources(folder, contents.sources, there);
      const manifest: Manifest = { version: 1, model, builtInNotes, sources };
      await writeFile(folder, kManifest, [JSON.stringify(manifest)]);
      await removeOthers(folder, manifest);
      return true;
    });
  }

  forget(): Promise<void> {
    return this.#inTurn(async () => {
      await removeFile(await navigator.storage.getDirectory(), kWorkspaceFolder);
    });
  }

  /** Bytes of documents and of models. */
  async sizes(): Promise<{ readonly documents: number; readonly models: number }> {
    let documents = 0;
    let models = 0;
    const folder = await keptFolder();
    for (const name of folder === undefined ? [] : await namesIn(folder)) {
      const { size } = await fileAt(folder as FileSystemDirectoryHandle, name);
      if (name.endsWith('.weights')) {
        models += size;
      } else {
        documents += size;
      }
    }
    return { documents, models };
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** One tab at a time keeps what it has, for as long as it is open. */
  #own(): Promise<boolean> {
    this.#lock ??= new Promise((resolve) => {
      const hold = (): Promise<never> => {
        resolve(true);
        return new Promise(() => undefined);
      };
      const signal = AbortSignal.timeout(kLockPatienceMs);
      navigator.locks.request(kLock, { signal }, hold).catch(() => {
        // The next change asks again: the other tab may be closed by then.
        this.#lock = undefined;
        resolve(false);
      });
    });
    return this.#lock;
  }

  async #readModel(folder: FileSystemDirectoryHandle, model: KeptModel): Promise<ModelFacts> {
    if (model.kind === 'built-in') {
      return builtInFacts();
    }
    if (model.kind === 'address') {
      return urlFacts(model.address);
    }
    const file = await this.#readBlob(folder, model.file);
    return { source: file, name: model.name, builtIn: false, converted: null };
  }

  async #saveModel(
    folder: FileSystemDirectoryHandle,
    { source, name, builtIn }: ModelFacts,
    there: ReadonlySet<string>,
  ): Promise<KeptModel> {
    if (builtIn) {
      return { kind: 'built-in' };
    }
    if (!(source instanceof Blob)) {
      return { kind: 'address', address: String(source) };
    }
    return { kind: 'file', name, file: await this.#saveBlob(folder, source, 'weights', there) };
  }

  async #readSource(
    folder: FileSystemDirectoryHandle,
    { id, name, file, imported }: KeptSource,
    waiting: readonly Doc[] = [],
  ): Promise<DocumentSource> {
    this.#fileOf.set(id, file);
    return {
      id,
      name,
      passages: [],
      waiting,
      ...(imported !== undefined && { imported: await this.#readBlob(folder, imported) }),
    };
  }

  async #saveSources(
    folder: FileSystemDirectoryHandle,
    sources: readonly DocumentSource[],
    there: ReadonlySet<string>,
  ): Promise<KeptSource[]> {
    const others = sources.filter(({ id }) => !there.has(this.#fileOf.get(id) ?? ''));
    if (others.length > 0) {
      const file = `${newId()}.jsonl`;
      await writeFile(folder, file, linesOf(others));
      for (const { id } of others) {
        this.#fileOf.set(id, file);
      }
    }
    const kept: KeptSource[] = [];
    for (const { id, name, imported } of sources) {
      const file = this.#fileOf.get(id) as string;
      kept.push({
        id,
        name,
        file,
        ...(imported !== undefined && {
          imported: await this.#saveBlob(folder, imported, 'ambryindex', there),
        }),
      });
    }
    return kept;
  }

  async #readBlob(folder: FileSystemDirectoryHandle, name: string): Promise<File> {
    const file = await fileAt(folder, name);
    this.#files.set(file, name);
    return file;
  }

  async #saveBlob(
    folder: FileSystemDirectoryHandle,
    blob: Blob,
    type: string,
    there: ReadonlySet<string>,
  ): Promise<string> {
    const known = this.#files.get(blob);
    if (known !== undefined && there.has(known)) {
      return known;
    }
    const name = `${newId()}.${type}`;
    await writeFile(folder, name, [blob]);
    this.#files.set(blob, name);
    return name;
  }
}

async function removeOthers(
  folder: FileSystemDirectoryHandle,
  { model, sources }: Manifest,
): Promise<void> {
  const named = new Set([kManifest, ...(model.kind === 'file' ? [model.file] : [])]);
  for (const { file, imported = file } of sources) {
    named.add(file).add(imported);
  }
  for (const name of await namesIn(folder)) {
    // A stream that is being written keeps its file under a name of the browser's own until it is closed.
    if (!named.has(name) && !name.endsWith('.crswap')) {
      await removeFile(folder, name);
    }
  }
}
