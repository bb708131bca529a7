// Saves the workspace in the origin-private file system, so that a reload restores it. Documents added together share
// one file of passages. A model without an address has a file of its own. The manifest names all files. It is written
// last, so that an interrupted save leaves the state before it.

import type { Doc } from 'ambry';
import { newId } from '../documents/passage-queue.ts';
import { urlChoice } from '../model/model-sources.ts';
import { builtInChoice, type ModelChoice } from '../model/open-model.ts';
import type { DocumentSource } from '../state/state.ts';
import { fileAt, namesIn, removeFile, writeFile } from './opfs.ts';
import { linesOf, readPassages } from './passage-lines.ts';
import { savedFolder, workspaceFolderName } from './saved-folder.ts';

const manifestName = 'workspace.json';

type SavedModel =
  | { readonly kind: 'built-in' }
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'file'; readonly name: string; readonly file: string };

interface SavedDocument {
  readonly id: string;
  readonly name: string;
  /** The file with its passages, in the form of passage-lines.ts. */
  readonly file: string;
  /** The file with the index if it was imported. */
  readonly imported?: string;
}

interface Manifest {
  readonly version: 1;
  readonly model: SavedModel;
  readonly builtInNotes: boolean;
  readonly sources: readonly SavedDocument[];
}

/** The part of the page's state that is saved. */
export interface WorkspaceContents {
  readonly model: ModelChoice;
  readonly builtInNotes: boolean;
  readonly sources: readonly DocumentSource[];
}

export class WorkspaceFiles {
  /** The file name of each saved blob. */
  readonly #blobFiles = new WeakMap<Blob, string>();
  /** The name of the file with the passages of each document, by its id. */
  readonly #passageFiles = new Map<string, string>();
  #last: Promise<unknown> = Promise.resolve();

  /** Reads the saved workspace. All its passages wait to be indexed. Null if nothing is saved. */
  async read(): Promise<WorkspaceContents | null> {
    const folder = await savedFolder();
    if (folder === undefined || !(await namesIn(folder)).includes(manifestName)) {
      return null;
    }
    const text = await (await fileAt(folder, manifestName)).text();
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

  /** Replaces the saved workspace, unless `mayWrite` says that another tab has it. Returns whether it is saved. */
  save(contents: WorkspaceContents, mayWrite: () => Promise<boolean>): Promise<boolean> {
    return this.#queue(async () => {
      // First, because it tells why nothing can be saved. A lock would be refused like one that another tab holds.
      const root = await navigator.storage.getDirectory();
      if (!(await mayWrite())) {
        return false;
      }
      const folder = await root.getDirectoryHandle(workspaceFolderName, { create: true });
      const existing = new Set(await namesIn(folder));
      const { builtInNotes } = contents;
      const model = await this.#saveModel(folder, contents.model, existing);
      const sources = builtInNotes
        ? []
        : await this.#saveSources(folder, contents.sources, existing);
      const manifest: Manifest = { version: 1, model, builtInNotes, sources };
      await writeFile(folder, manifestName, [JSON.stringify(manifest)]);
      await removeUnused(folder, manifest);
      return true;
    });
  }

  delete(): Promise<void> {
    return this.#queue(async () => {
      // A browser without private files may have saved downloads in another way.
      if (await savedFolder()) {
        await removeFile(await navigator.storage.getDirectory(), workspaceFolderName);
      }
    });
  }

  /** The bytes of documents and of models. */
  async sizes(): Promise<{ readonly documents: number; readonly models: number }> {
    let documents = 0;
    let models = 0;
    const folder = await savedFolder();
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

  /** Runs `work` after the work before it. */
  #queue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #readModel(folder: FileSystemDirectoryHandle, model: SavedModel): Promise<ModelChoice> {
    if (model.kind === 'built-in') {
      return builtInChoice();
    }
    if (model.kind === 'address') {
      return urlChoice(model.address);
    }
    const file = await this.#readBlob(folder, model.file);
    return { source: file, name: model.name, builtIn: false, converted: null };
  }

  async #saveModel(
    folder: FileSystemDirectoryHandle,
    { source, name, builtIn }: ModelChoice,
    existing: ReadonlySet<string>,
  ): Promise<SavedModel> {
    if (builtIn) {
      return { kind: 'built-in' };
    }
    if (!(source instanceof Blob)) {
      return { kind: 'address', address: String(source) };
    }
    return { kind: 'file', name, file: await this.#saveBlob(folder, source, 'weights', existing) };
  }

  async #readSource(
    folder: FileSystemDirectoryHandle,
    { id, name, file, imported }: SavedDocument,
    waiting: readonly Doc[] = [],
  ): Promise<DocumentSource> {
    this.#passageFiles.set(id, file);
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
    existing: ReadonlySet<string>,
  ): Promise<SavedDocument[]> {
    const unsaved = sources.filter(({ id }) => !existing.has(this.#passageFiles.get(id) ?? ''));
    if (unsaved.length > 0) {
      const file = `${newId()}.jsonl`;
      await writeFile(folder, file, linesOf(unsaved));
      for (const { id } of unsaved) {
        this.#passageFiles.set(id, file);
      }
    }
    const saved: SavedDocument[] = [];
    for (const { id, name, imported } of sources) {
      const file = this.#passageFiles.get(id) as string;
      saved.push({
        id,
        name,
        file,
        ...(imported !== undefined && {
          imported: await this.#saveBlob(folder, imported, 'ambryindex', existing),
        }),
      });
    }
    return saved;
  }

  async #readBlob(folder: FileSystemDirectoryHandle, name: string): Promise<File> {
    const file = await fileAt(folder, name);
    this.#blobFiles.set(file, name);
    return file;
  }

  async #saveBlob(
    folder: FileSystemDirectoryHandle,
    blob: Blob,
    type: string,
    existing: ReadonlySet<string>,
  ): Promise<string> {
    const known = this.#blobFiles.get(blob);
    if (known !== undefined && existing.has(known)) {
      return known;
    }
    const name = `${newId()}.${type}`;
    await writeFile(folder, name, [blob]);
    this.#blobFiles.set(blob, name);
    return name;
  }
}

async function removeUnused(
  folder: FileSystemDirectoryHandle,
  { model, sources }: Manifest,
): Promise<void> {
  const used = new Set([manifestName, ...(model.kind === 'file' ? [model.file] : [])]);
  for (const { file, imported = file } of sources) {
    used.add(file).add(imported);
  }
  for (const name of await namesIn(folder)) {
    // Chromium writes a stream to a .crswap file until the stream is closed.
    if (!used.has(name) && !name.endsWith('.crswap')) {
      await removeFile(folder, name);
    }
  }
}
