// Conversations in IndexedDB. Titles have a store of their own, so that the list is read without the conversations.

import { completed, done } from '../../shared/base/indexed-db.ts';
import type { ConversationTitle } from '../state/state.ts';
import type { SavedConversation } from './saved-conversation.ts';

const databaseName = 'ambry-chat';
const databaseVersion = 1;
const conversations = 'conversations';
const titles = 'titles';
/** The conversation that the page showed last. */
const page = 'page';
const currentKey = 'current';

/** Another tab saved this conversation after it was read here. */
export class ConflictError extends Error {}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(databaseName, databaseVersion);
  request.addEventListener('upgradeneeded', () => {
    request.result.createObjectStore(conversations, { keyPath: 'id' });
    request.result.createObjectStore(titles, { keyPath: 'id' });
    request.result.createObjectStore(page);
  });
  return done(request);
}

/** Every method rejects where the browser does not let the page save, or has no space. */
export class ConversationDatabase {
  #opened: Promise<IDBDatabase> | undefined;

  /** The latest first. */
  async titles(): Promise<readonly ConversationTitle[]> {
    const { transaction } = await this.#begin('readonly');
    const all = (await done(transaction.objectStore(titles).getAll())) as ConversationTitle[];
    return all.sort((a, b) => b.changedAt - a.changedAt);
  }

  /** Undefined if there is none. */
  async read(id: string): Promise<SavedConversation | undefined> {
    const { transaction } = await this.#begin('readonly');
    return done(transaction.objectStore(conversations).get(id));
  }

  /** Rejects with a `ConflictError` if another tab has saved a later revision. */
  async write(saved: SavedConversation): Promise<void> {
    const { transaction, end } = await this.#begin('readwrite');
    const store = transaction.objectStore(conversations);
    const old: SavedConversation | undefined = await done(store.get(saved.id));
    if (old !== undefined && old.revision >= saved.revision) {
      transaction.abort();
      await end.catch(() => undefined);
      throw new ConflictError('Another tab changed this conversation.');
    }
    const { id, title, changedAt, bytes } = saved;
    const row: ConversationTitle = { id, title, changedAt, bytes };
    store.put(saved);
    transaction.objectStore(titles).put(row);
    await end;
  }

  async delete(ids: readonly string[]): Promise<void> {
    const { transaction, end } = await this.#begin('readwrite');
    for (const id of ids) {
      transaction.objectStore(conversations).delete(id);
      transaction.objectStore(titles).delete(id);
    }
    await end;
  }

  /** The conversation that the page showed last; undefined if it showed a text. */
  async current(): Promise<string | undefined> {
    const { transaction } = await this.#begin('readonly');
    return done(transaction.objectStore(page).get(currentKey));
  }

  async setCurrent(id: string | null): Promise<void> {
    const { transaction, end } = await this.#begin('readwrite');
    const store = transaction.objectStore(page);
    if (id === null) {
      store.delete(currentKey);
    } else {
      store.put(id, currentKey);
    }
    await end;
  }

  async #begin(mode: IDBTransactionMode) {
    this.#opened ??= openDatabase();
    try {
      const database = await this.#opened;
      const forget = (): void => {
        this.#opened = undefined;
      };
      database.onclose = forget;
      // Another tab deletes or upgrades the database, and must not wait for this one.
      database.onversionchange = () => {
        forget();
        database.close();
      };
      const transaction = database.transaction([conversations, titles, page], mode);
      const end = completed(transaction);
      end.catch(() => undefined);
      return { transaction, end };
    } catch (error) {
      this.#opened = undefined;
      throw error;
    }
  }
}
