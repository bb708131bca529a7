// Runs the actions of the page one after another. Between them it indexes the waiting passages. After each change it
// saves the workspace for the next visit.

import { createIndex, type SearchIndex } from 'ambry';
import type { Store } from '../../shared/base/store.ts';
import { interrupted, type JobContext, type JobPlan, type Jobs } from '../../shared/jobs/jobs.ts';
import type { Runtime } from '../../shared/site/runtime.ts';
import { countWaiting } from '../documents/passage-queue.ts';
import { indexWaiting } from '../indexing/indexing.ts';
import type { DocumentSource, SearchState } from '../state/state.ts';
import { SavedWorkspace } from '../storage/saved-workspace.ts';

const indexingPlan: JobPlan = {
  title: 'Indexing',
  failureTitle: 'Some passages were not indexed',
  cancelNotice: 'Stopped. You can search what is indexed so far.',
  unit: 'passages',
  background: true,
};

const takeOverPlan: JobPlan = {
  title: 'Reading the documents of the other tab',
  failureTitle: 'The documents of the other tab could not be read',
  cancelNotice: 'Cancelled.',
  unit: 'documents',
  uninterruptible: true,
};

export class ActionRunner {
  readonly store: Store<SearchState>;
  readonly runtime: Runtime;
  readonly workspace: SavedWorkspace;
  readonly #jobs: Jobs<SearchState>;
  /** The user cancelled the indexing, or it failed. */
  #stopped = false;
  /** The user deleted the saved data, so the vectors of these documents are not saved either. */
  #deleted = false;
  /** Why saving failed, as the last notice of this action said. Later notices of the action say it again. */
  #problem = '';

  constructor(store: Store<SearchState>, jobs: Jobs<SearchState>, runtime: Runtime) {
    this.store = store;
    this.runtime = runtime;
    this.workspace = new SavedWorkspace(store, () => void this.#takeOver());
    this.#jobs = jobs;
  }

  /** Runs a job, then indexes the waiting passages. */
  async run(plan: JobPlan, work: (context: JobContext) => Promise<void>): Promise<void> {
    this.#problem = '';
    // If another tab has the saved data, the page says so before the work is done.
    void this.workspace.claim();
    await this.#jobs.run(plan, work);
    await this.#index();
  }

  /** Continues an indexing that was cancelled. */
  resumeIndexing(): Promise<void> {
    this.#stopped = false;
    return this.#index();
  }

  /** Deletes the saved data. The vectors of the present documents are not saved from here on. */
  async deleteSaved(): Promise<void> {
    this.#deleted = true;
    await this.workspace.delete();
  }

  /** Shows a notice, with the reason if saving failed. */
  notify(notice: string): void {
    this.#problem = this.workspace.takeProblem() || this.#problem;
    this.store.update({ notice: `${notice} ${this.#problem}`.trimEnd() });
  }

  /** Replaces the list of documents. With `replaceIndex`, it also starts an empty index. */
  async setSources(
    sources: readonly DocumentSource[],
    { builtInNotes = false, replaceIndex = false } = {},
  ): Promise<void> {
    const { loaded, index: old } = this.store.state;
    this.#stopped = false;
    this.#deleted = false;
    if (loaded !== null && (replaceIndex || old === null)) {
      const index: SearchIndex = await createIndex(loaded.model, []);
      this.store.update({ sources, builtInNotes, index });
      await old?.dispose();
    } else {
      // Without a model the documents wait until one is opened.
      this.store.update({ sources, builtInNotes });
    }
    await this.workspace.save();
  }

  /** The tab that has saved until now is closed: this one goes on with the documents of both. */
  #takeOver(): Promise<void> {
    return this.run(takeOverPlan, async () => {
      const merged = await this.workspace.takeOver();
      if (merged === null) {
        await this.workspace.save();
      } else {
        await this.setSources(merged.sources, merged);
      }
      this.notify('The other tab is closed. This tab saves its documents now.');
    });
  }

  async #index(): Promise<void> {
    const { loaded, sources } = this.store.state;
    if (countWaiting(sources) > 0 && loaded !== null && !this.#stopped) {
      await this.#jobs.run(indexingPlan, (context) => this.#indexNow(context));
    }
    const problem = this.workspace.takeProblem();
    if (problem !== '') {
      this.#problem = problem;
      this.store.update({ notice: problem });
    }
  }

  async #indexNow(context: JobContext): Promise<void> {
    try {
      // Where nothing can be saved, the notice says so already.
      const saveVectors = !this.#deleted && !this.workspace.isUnavailable;
      const note = await indexWaiting(this.store, context, saveVectors);
      if (note !== '') {
        this.notify(note);
      }
    } catch (error) {
      this.#stopped = context.signal.reason !== interrupted;
      throw error;
    } finally {
      await this.workspace.measure();
    }
  }
}
