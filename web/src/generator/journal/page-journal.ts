// Journals of a page, in IndexedDB.

import type { StoredJournal } from '../base/journal-types.ts';
import { checkJournalName, journalError } from './journal-error.ts';

const databaseName = 'ambry-journals';
const store = 'texts';
/** The index by the name of the journal. */
const byName = 'name';

let opened: Promise<IDBDatabase> | undefined;

/** A journal of this origin. Journals of equal names are the same. */
export function pageJournal(name: string): StoredJournal {
  checkJournalName(name);
  return {
    read: () =>
      inStore(name, 'readonly', async (texts) => {
        const rows = await done(texts.index(byName).getAll(name));
        return (rows as { readonly text: string }[]).map(({ text }) => text).join('');
      }),
    append: (text) =>
      inStore(name, 'readwrite', async (texts) => {
        await done(texts.add({ name, text }));
      }),
    clear: () =>
      inStore(name, 'readwrite', async (texts) => {
        for (const key of await done(texts.index(byName).getAllKeys(name))) {
          texts.delete(key);
        }
      }),
  };
}

async function inStore<T>(
  name: string,
  mode: IDBTransactionMode,
  work: (texts: IDBObjectStore) => Promise<T>,
): Promise<T> {
  try {
    opened ??= openDatabase();
    const transaction = (await opened).transaction(store, mode);
    const end = completed(transaction);
    const result = await work(transaction.objectStore(store));
    await end;
    return result;
  } catch (error) {
    opened = undefined;
    throw journalError(name, error);
  }
}

async function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(databaseName, 1);
  request.addEventListener('upgradeneeded', () => {
    const texts = request.result.createObjectStore(store, { autoIncrement: true });
    texts.createIndex(byName, 'name');
  });
  const database = await done(request);
  const forget = () => {
    opened = undefined;
  };
  database.onclose = forget;
  // Another page deletes the database, and must not wait for this one.
  database.onversionchange = () => {
    forget();
    database.close();
  };
  return database;
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });
}

/** A full disk aborts a transaction whose requests all succeeded. */
function completed(transaction: IDBTransaction): Promise<void> {
  const end = new Promise<void>((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () => reject(transaction.error));
  });
  end.catch(() => {});
  return end;
}
