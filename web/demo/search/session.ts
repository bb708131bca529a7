// What the page does. Its first act, the built-in model over the built-in notes, is all here; everything else is
// fetched when it is first asked for.

import { createIndex } from 'ambry';
import { type JobPlan, Jobs } from '../shared/jobs.ts';
import type { Runtime } from '../shared/runtime.ts';
import type { Store } from '../shared/store.ts';
import type { Actions } from './actions.ts';
import { fetchNotes } from './built-in.ts';
import { builtInFacts, opener } from './model/open-model.ts';
import type { SearchState } from './state.ts';
import { keptFolder } from './storage/saved-folder.ts';

const kFirstAct: JobPlan = {
  title: 'Loading the built-in model',
  failureTitle: 'The model was not opened',
  cancelNotice: 'Cancelled.',
  unit: 'bytes',
};

export class Session {
  readonly #store: Store<SearchState>;
  readonly #jobs: Jobs<SearchState>;
  readonly #runtime: Runtime;
  #actions: Promise<Actions> | undefined;

  constructor(store: Store<SearchState>, runtime: Runtime) {
    this.#store = store;
    this.#jobs = new Jobs(store);
    this.#runtime = runtime;
  }

  /** The page's first act: what the last visit left, or what the page comes with. */
  async start(): Promise<void> {
    if (await keptFolder()) {
      this.#actions = this.#load(true);
      await this.act((actions) => actions.restore());
    } else {
      await this.#openBuiltIn();
    }
  }

  /** Does something further. What fails before it is under way is shown here. */
  async act(what: (actions: Actions) => Promise<void>): Promise<void> {
    try {
      this.#actions ??= this.#load(false);
      await what(await this.#actions);
    } catch (error) {
      this.#store.update({ failure: { title: 'That was not done', error } });
    }
  }

  async #load(recalls: boolean): Promise<Actions> {
    try {
      const { Actions } = await import('./actions.ts');
      const { mountKeptPanel } = await import('./storage/storage-panel.ts');
      mountKeptPanel(this.#store, () => void this.act((actions) => actions.forget()));
      const actions = new Actions(this.#store, this.#jobs, this.#runtime);
      if (recalls) {
        await actions.recall();
      }
      return actions;
    } catch (error) {
      this.#actions = undefined;
      throw error;
    }
  }

  /** Starts the present model and its index anew after their workers died. */
  reopen(): Promise<void> {
    return this.act(({ models }) => models.reopen());
  }

  #openBuiltIn(): Promise<void> {
    return this.#jobs.run(kFirstAct, async (context) => {
      const loaded = await opener(builtInFacts(), this.#runtime)(context);
      try {
        const { signal, stage, report } = context;
        const notes = await fetchNotes(signal);
        stage('Indexing', 'passages');
        const index = await createIndex(loaded.model, notes.passages, {
          signal,
          onProgress: (progress) => report(progress.loaded, progress.total),
        });
        this.#store.update({ loaded, sources: [notes], index });
      } catch (error) {
        await loaded.model.dispose();
        throw error;
      }
    });
  }
}
