// Files on their way from one page to another, in IndexedDB.

import { completed, done } from '../base/indexed-db.ts';
import type { GivenFiles, PathFile } from '../files/given-files.ts';

const databaseName = 'ambry-handed';
const handed = 'handed';
/** Browsers copy what is put into a database, and larger copies take long. */
const mostBytes = 512 << 20;
/** The other page takes its files at once. What is older was left by a page that never came. */
const staleMs = 5 * 60_000;

/** Up to this size files are stored as bytes. WebKit never ends a transaction with files in a private window. */
const mostPlainBytes = 64 << 20;

interface StoredFile {
  readonly path: string;
  readonly name: string;
  readonly lastModified: number;
  readonly content: ArrayBuffer | File;
}

interface Row {
  readonly id: string;
  readonly at: number;
  readonly files: readonly StoredFile[];
  readonly skipped: readonly string[];
}

const stored = async ({ path, file }: PathFile, asBytes: boolean): Promise<StoredFile> => ({
  path,
  name: file.name,
  lastModified: file.lastModified,
  content: asBytes ? await file.arrayBuffer() : file,
});

const restored = ({ path, name, lastModified, content }: StoredFile): PathFile => ({
  path,
  file: content instanceof File ? content : new File([content], name, { lastModified }),
});

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(databaseName, 1);
  request.addEventListener('upgradeneeded', () => {
    request.result.createObjectStore(handed, { keyPath: 'id' }).createIndex('at', 'at');
  });
  return done(request);
}

/** Every method rejects where the browser does not let the page save, or has no space. */
export class HandedDatabase {
  /** Rejects also if the files are too large to be copied. */
  async put(id: string, { files, skipped }: GivenFiles): Promise<void> {
    const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
    if (bytes > mostBytes) {
      throw new RangeError('These files are too large for the database.');
    }
    const asBytes = bytes <= mostPlainBytes;
    const contents = await Promise.all(files.map((file) => stored(file, asBytes)));
    const row: Row = { id, at: Date.now(), files: contents, skipped };
    await this.#change((store) => {
      store.put(row);
    });
  }

  /** Deletes the files, too. Null if there are none. */
  async take(id: string): Promise<GivenFiles | null> {
    let row: IDBRequest<Row | undefined> | undefined;
    await this.#change((store) => {
      row = store.get(id);
      store.delete(id);
    });
    const found = row?.result;
    return found ? { files: found.files.map(restored), skipped: found.skipped } : null;
  }

  /** Every change also deletes what is stale. */
  async #change(change: (store: IDBObjectStore) => void): Promise<void> {
    const database = await openDatabase();
    try {
      const transaction = database.transaction(handed, 'readwrite');
      const end = completed(transaction);
      const store = transaction.objectStore(handed);
      const before = IDBKeyRange.upperBound(Date.now() - staleMs);
      const stale = store.index('at').openKeyCursor(before);
      stale.addEventListener('success', () => {
        const cursor = stale.result;
        if (cursor !== null) {
          store.delete(cursor.primaryKey);
          cursor.continue();
        }
      });
      change(store);
      await end;
    } finally {
      database.close();
    }
  }
}
