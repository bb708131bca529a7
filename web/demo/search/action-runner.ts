// What all actions share: jobs one after another, the indexing that goes on between them, and what is kept
// for the next visit.

import { createIndex, type SearchIndex } from 'ambry';
import { type JobContext, type JobPlan, type Jobs, yielded } from '../shared/jobs.ts';
import type { Runtime } from '../shared/runtime.ts';
import type { Store } from '../shared/store.ts';
import { countWaiting } from './documents/passage-queue.ts';
import { indexWaiting } from './indexing/indexing.ts';
import type { DocumentSource, SearchState } from './state.ts';
import { Keeper } from './storage/saved-workspace.ts';

const kIndexing: JobPlan = {
  title: 'Indexing',
  failureTitle: 'Not everything was indexed',
  cancelNotice: 'Stopped. What is indexed so far can be searched.',
  unit: 'passages',
  yields: true,
};

export class Workbench {
  readonly store: Store<SearchState>;
  readonly runtime: Runtime;
  readonly keeper: Keeper;
  readonly #jobs: Jobs<SearchState>;
  /** Somebody stopped the indexing, or it failed. */
  #stopped = false;
  /** What is here was to be forgotten: its vectors are not kept either when its indexing goes on. */
  #forgotten = false;

  constructor(store: Store<SearchState>, jobs: Jobs<SearchState>, runtime: Runtime) {
    this.store = store;
    this.runtime = runtime;
    this.keeper = new Keeper(store);
    this.#jobs = jobs;
  }

  /** A job, after which the indexing of what waits goes on. */
  async run(plan: JobPlan, work: (context: JobContext) => Promise<void>): Promise<void> {
    await this.#jobs.run(plan, work);
    await this.#index();
  }

  /** Goes on with an indexing that was stopped. */
  goOn(): Promise<void> {
    this.#stopped = false;
    return this.#index();
  }

  /** Forgets what is kept for the next visit, and keeps nothing more of what is here now. */
  async forget(): Promise<void> {
    this.#forgotten = true;
    await this.keeper.forget();
  }

  /** Says what was done, and what is not kept of it. */
  say(notice: string): void {
    const news = this.keeper.news();
    this.store.update({ notice: news === '' ? notice : `${notice} ${news}` });
  }

  /** Other documents than before. An index that holds nothing of them any more is replaced by an empty one. */
  async setSources(
    sources: readonly DocumentSource[],
    { builtInNotes = false, anew = false } = {},
  ): Promise<void> {
    const { loaded, index: old } = this.store.state;
    this.#stopped = false;
    this.#forgotten = false;
    if (loaded !== null && (anew || old === null)) {
      const index: SearchIndex = await createIndex(loaded.model, []);
      this.store.update({ sources, builtInNotes, index });
      await old?.dispose();
    } else {
      // Without a model the documents wait; opening one indexes them.
      this.store.update({ sources, builtInNotes });
    }
    await this.keeper.save();
  }

  async #index(): Promise<void> {
    const { loaded, sources } = this.store.state;
    if (countWaiting(sources) > 0 && loaded !== null && !this.#stopped) {
      await this.#jobs.run(kIndexing, (context) => this.#indexNow(context));
    }
    const news = this.keeper.news();
    if (news !== '') {
      this.store.update({ notice: news });
    }
  }

  async #indexNow(context: JobContext): Promise<void> {
    try {
      const note = await indexWaiting(this.store, context, !this.#forgotten);
      if (note !== '') {
        this.say(note);
      }
    } catch (error) {
      this.#stopped = context.signal.reason !== yielded;
      throw error;
    } finally {
      await this.keeper.measure();
    }
  }
}
