// Saves the conversation on the page after every change, and brings saved ones back. A conversation that cannot be saved
// stays in memory, and the page says why.

import type { Store } from '../../shared/base/store.ts';
import { TabLock } from '../../shared/tabs/tab-lock.ts';
import type { PageSession } from '../session/session.ts';
import type { ChatState } from '../state/state.ts';
import { ConflictError, type ConversationDatabase } from './conversation-database.ts';
import { problemOf } from './history-problem.ts';
import {
  contentsOf,
  type SavedConversation,
  sizeOf,
  stateOf,
  titleOf,
} from './saved-conversation.ts';

const newId = (): string => crypto.randomUUID();

/** How often an answer is saved while it is being written. What a killed tab had written since is computed again. */
const savePeriodMs = 1000;

export class History {
  readonly #store: Store<ChatState>;
  readonly #session: PageSession;
  readonly #database: ConversationDatabase;
  /** What is known of each conversation that was read or written here. */
  readonly #known = new Map<string, SavedConversation>();
  /** Conversations that could not be saved. */
  readonly #unsaved = new Set<string>();
  /** On the conversation of the page, to know of another tab with it. */
  #lock: { readonly id: string; readonly lock: TabLock } | null = null;
  #savedAt = 0;
  /** Writes wait for each other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: Store<ChatState>, session: PageSession, database: ConversationDatabase) {
    this.#store = store;
    this.#session = session;
    this.#database = database;
  }

  /** Shows the conversation of the last visit. Returns false if there is none. */
  async restore(): Promise<boolean> {
    try {
      await this.#list();
      const id = await this.#database.current();
      return id !== undefined && (await this.open(id));
    } catch (error) {
      this.#store.update({ historyProblem: problemOf(error) });
      return false;
    }
  }

  /** Shows the list only. */
  async showTitles(): Promise<false> {
    await this.#list().catch((error: unknown) => {
      this.#store.update({ historyProblem: problemOf(error) });
    });
    return false;
  }

  /** Saves the page from now on, whenever something was said or set. */
  watch(): void {
    const keys = ['turns', 'stop', 'system', 'trim', 'form', 'sampling'] as const;
    this.#store.watch(keys, ({ mode, turns, stop }) => {
      // An answer is saved now and then and when it has ended, and a message at once.
      const isDue = performance.now() - this.#savedAt >= savePeriodMs;
      const isWritten = stop === null || turns.at(-1)?.from === 'user' || isDue;
      if (mode === 'chat' && turns.length > 0 && isWritten) {
        this.save();
      }
    });
    this.#store.watch(['conversation', 'mode'], ({ conversation, mode }) => {
      const current = mode === 'chat' ? conversation : null;
      this.#claim(current);
      void this.#queue(() => this.#database.setCurrent(current)).catch(() => undefined);
    });
    this.#store.watch(['loaded', 'conversation', 'interrupted'], () => void this.#goOn());
    addEventListener('pagehide', () => this.save());
    // Another tab may have changed the list.
    addEventListener('focus', () => void this.#list().catch(() => undefined));
  }

  /** Saves what the page shows. */
  save(): void {
    const { state } = this.#store;
    const isLinked = state.turns === state.linkedTurns;
    if (state.mode !== 'chat' || state.turns.length === 0 || isLinked) {
      return;
    }
    const id = state.conversation ?? newId();
    if (state.conversation === null) {
      this.#store.update({ conversation: id });
    }
    const before = this.#known.get(id);
    const contents = contentsOf(state);
    if (before !== undefined && isSame(before, contents)) {
      return;
    }
    const isNamed = before?.isNamed ?? false;
    this.#savedAt = performance.now();
    this.#write({
      ...contents,
      version: 1,
      id,
      bytes: sizeOf(contents),
      revision: (before?.revision ?? 0) + 1,
      isNamed,
      title: isNamed && before ? before.title : titleOf(state.turns),
      changedAt: Date.now(),
    });
  }

  /** Shows a saved conversation. Returns false if it cannot be read; the page stays as it was then. */
  async open(id: string): Promise<boolean> {
    this.save();
    try {
      await this.#last;
      const saved = this.#unsaved.has(id) ? this.#known.get(id) : await this.#database.read(id);
      const state = saved === undefined ? null : stateOf(saved);
      if (saved === undefined || state === null) {
        const notice = 'This conversation is not there any more, or its record is damaged.';
        this.#store.update({ notice });
        await this.#list();
        return false;
      }
      this.#known.set(id, saved);
      this.#session.showConversation(id, { ...state, notice: this.#otherModel(saved) });
      return true;
    } catch (error) {
      this.#store.update({ historyProblem: problemOf(error) });
      return false;
    }
  }

  async rename(id: string, title: string): Promise<void> {
    try {
      const saved = this.#known.get(id) ?? (await this.#database.read(id));
      if (saved !== undefined) {
        await this.#write({ ...saved, title, isNamed: true, revision: saved.revision + 1 });
      }
    } catch (error) {
      this.#store.update({ historyProblem: problemOf(error) });
    }
  }

  /** Deletes these conversations. The one on the page goes, too. */
  async delete(ids: readonly string[]): Promise<void> {
    let gone = ids;
    try {
      await this.#queue(() => this.#database.delete(ids));
    } catch (error) {
      this.#store.update({ historyProblem: problemOf(error) });
      gone = ids.filter((id) => this.#unsaved.has(id));
    }
    for (const id of gone) {
      this.#known.delete(id);
      this.#unsaved.delete(id);
    }
    if (gone.includes(this.#store.state.conversation ?? '')) {
      this.#session.forgetConversation();
    }
    await this.#list().catch(() => this.#show([]));
  }

  /** Goes on with an answer that was interrupted, if no other tab does. */
  async #goOn(): Promise<void> {
    const { conversation } = this.#store.state;
    const isHere = (await this.#lock?.lock.atOnce) ?? false;
    if (isHere && this.#store.state.conversation === conversation) {
      this.#session.resume();
    }
  }

  /** Lets go of the conversation before, and claims this one. If another tab has it, the page says so. */
  #claim(id: string | null): void {
    if (id === (this.#lock?.id ?? null)) {
      return;
    }
    this.#lock?.lock.release();
    this.#store.update({ otherTab: false });
    this.#lock =
      id === null ? null : { id, lock: new TabLock(`ambry-chat-${id}`, this.#onTab(id)) };
  }

  /** When the other tab lets go of the conversation, this one shows what was said there. */
  #onTab(id: string): (otherTab: boolean) => void {
    return (otherTab) => {
      this.#store.update({ otherTab });
      if (!otherTab) {
        void this.#refresh(id).catch(() => undefined);
      }
    };
  }

  async #refresh(id: string): Promise<void> {
    await this.#last;
    const saved = await this.#database.read(id);
    const { conversation, stop } = this.#store.state;
    const isNewer = (saved?.revision ?? 0) > (this.#known.get(id)?.revision ?? 0);
    if (isNewer && conversation === id && stop === null) {
      await this.open(id);
    }
  }

  #write(saved: SavedConversation): Promise<void> {
    this.#known.set(saved.id, saved);
    this.#unsaved.add(saved.id);
    return this.#queue(async () => {
      try {
        await this.#database.write(saved);
        this.#unsaved.delete(saved.id);
        this.#store.update({ historyProblem: '' });
      } catch (error) {
        await this.#recover(saved, error);
      }
      // Where nothing can be read, those in memory remain.
      await this.#list().catch(() => this.#show([]));
    });
  }

  async #recover(saved: SavedConversation, error: unknown): Promise<void> {
    let problem = error;
    if (error instanceof ConflictError) {
      try {
        await this.#saveCopy(saved);
        return;
      } catch (failure) {
        problem = failure;
      }
    }
    this.#store.update({ historyProblem: problemOf(problem) });
  }

  /** Another tab saved the same conversation: this tab goes on with a copy, and both stay. */
  async #saveCopy(saved: SavedConversation): Promise<void> {
    const copy = { ...saved, id: newId(), revision: 1 };
    await this.#database.write(copy);
    this.#unsaved.delete(saved.id);
    this.#known.delete(saved.id);
    this.#known.set(copy.id, copy);
    const isShown = this.#store.state.conversation === saved.id;
    const notice = 'Another tab changed this conversation. This tab goes on with a copy.';
    this.#store.update({ ...(isShown && { conversation: copy.id }), notice });
  }

  async #list(): Promise<void> {
    const saved = await this.#database.titles();
    this.#show(saved.filter(({ id }) => !this.#unsaved.has(id)));
  }

  #show(saved: ChatState['conversations']): void {
    const unsaved = [...this.#unsaved].flatMap((id) => this.#known.get(id) ?? []);
    const all = [...unsaved, ...saved].map(({ id, title, changedAt, bytes }) => ({
      id,
      title,
      changedAt,
      bytes,
    }));
    const conversations = all.sort((a, b) => b.changedAt - a.changedAt);
    if (JSON.stringify(conversations) !== JSON.stringify(this.#store.state.conversations)) {
      this.#store.update({ conversations });
    }
  }

  #otherModel({ model }: SavedConversation): string {
    const { loaded } = this.#store.state;
    return loaded === null || model === '' || loaded.name === model
      ? ''
      : `This conversation was with ${model}. ${loaded.name} answers now.`;
  }

  #queue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** Whether nothing changed. A new seed or another model alone is no change. */
function isSame(saved: SavedConversation, contents: ReturnType<typeof contentsOf>): boolean {
  const plain = ({ system, trim, form, turns, sampling, unfinished }: typeof contents): string =>
    JSON.stringify([system, trim, form, turns, unfinished, { ...sampling, seed: 0 }]);
  return plain(saved) === plain(contents);
}
