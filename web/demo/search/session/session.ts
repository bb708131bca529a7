// The actions of the search page. The first load, with the built-in model and notes, is here. All other actions are in
// actions.ts, which is loaded when it is first needed.

import { createIndex } from 'ambry';
import type { Store } from '../../shared/base/store.ts';
import { type JobPlan, Jobs } from '../../shared/jobs/jobs.ts';
import type { Runtime } from '../../shared/site/runtime.ts';
import { builtInChoice, opener } from '../model/open-model.ts';
import { fetchNotes } from '../state/built-in.ts';
import type { SearchState } from '../state/state.ts';
import { indexWords, loadTerms } from '../state/words-first.ts';
import { savedFolder } from '../storage/saved-folder.ts';
import type { Actions } from './actions.ts';

const firstLoadPlan: JobPlan = {
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

  /** Restores the workspace of the last visit, or opens the built-in model and notes. `url` names the model of a link. */
  async start(url: string): Promise<void> {
    if (url !== '' || (await savedFolder())) {
      this.#actions = this.#load(url);
      await this.run((actions) => actions.restore());
    } else {
      await this.#openBuiltIn();
    }
  }

  /** Runs an action, and loads the code for it first. */
  async run(action: (actions: Actions) => Promise<void>): Promise<void> {
    try {
      this.#actions ??= this.#load(null);
      await action(await this.#actions);
    } catch (error) {
      this.#store.update({ failure: { title: 'The action failed', error } });
    }
  }

  /** `link` is the model of the page's link when the page starts. Else null: the saved data is not read. */
  async #load(link: string | null): Promise<Actions> {
    try {
      const { Actions } = await import('./actions.ts');
      const { mountStoragePanel } = await import('../storage/storage-panel.ts');
      mountStoragePanel(this.#store, () => void this.run((actions) => actions.deleteSaved()));
      const actions = new Actions(this.#store, this.#jobs, this.#runtime);
      if (link !== null) {
        await actions.readSaved(link);
      }
      return actions;
    } catch (error) {
      this.#actions = undefined;
      throw error;
    }
  }

  /** Opens the model and its index again after a worker died. */
  reopen(): Promise<void> {
    return this.run(({ models }) => models.reopen());
  }

  #openBuiltIn(): Promise<void> {
    return this.#jobs.run(firstLoadPlan, async (context) => {
      const { signal, stage, report } = context;
      // The code for words is small, and the model is not, so the words come first. The code comes together with the notes.
      loadTerms().catch(() => undefined);
      const notes = await fetchNotes(signal);
      await indexWords(this.#store, notes.passages);
      const loaded = await opener(builtInChoice(), this.#runtime)(context);
      try {
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
