// All actions of the page except the first load. The page loads this module with the first of them.

import type { Store } from '../../shared/base/store.ts';
import type { GivenFiles } from '../../shared/files/given-files.ts';
import type { Failure, JobPlan, Jobs } from '../../shared/jobs/jobs.ts';
import { addressOf, openLinked, urlInLink } from '../../shared/page-address/open-linked.ts';
import type { Runtime } from '../../shared/site/runtime.ts';
import { allPassages } from '../documents/passage-queue.ts';
import type { SearchState } from '../state/state.ts';
import { indexWords } from '../state/words-first.ts';
import type { WorkspaceContents } from '../storage/workspace-files.ts';
import { ActionRunner } from './action-runner.ts';
import { DocumentActions } from './document-actions.ts';
import { identifyFiles } from './identify-files.ts';
import { IndexActions } from './index-actions.ts';
import { ModelActions } from './model-actions.ts';

const deletionPlan: JobPlan = {
  title: 'Deleting saved data',
  failureTitle: 'Some saved data was not deleted',
  cancelNotice: 'Cancelled.',
  unit: 'bytes',
  uninterruptible: true,
};

export class Actions {
  readonly models: ModelActions;
  readonly documents: DocumentActions;
  readonly index: IndexActions;
  readonly #runner: ActionRunner;
  #saved: WorkspaceContents | null = null;
  #readFailure: Failure | null = null;
  /** The model that the page's link names. */
  #link = '';

  constructor(store: Store<SearchState>, jobs: Jobs<SearchState>, runtime: Runtime) {
    this.#runner = new ActionRunner(store, jobs, runtime);
    this.models = new ModelActions(this.#runner);
    this.documents = new DocumentActions(this.#runner);
    this.index = new IndexActions(this.#runner);
  }

  /** Reads the workspace of the last visit. Its documents wait until a model is open. A link with another model shows the
   *  built-in notes, and the workspace stays as it is. */
  async readSaved(link: string): Promise<void> {
    const { store, workspace } = this.#runner;
    void workspace.claim();
    try {
      this.#saved = await workspace.read();
    } catch (error) {
      this.#readFailure = { title: 'The data from your last visit could not be read', error };
    }
    this.#link = link;
    const address = addressOf(link);
    if (address !== '' && address !== this.#saved?.model.source) {
      this.#saved = null;
      workspace.pause();
    }
    if (this.#saved !== null) {
      const { sources, builtInNotes } = this.#saved;
      store.update({ sources, builtInNotes });
      void indexWords(store, sources.flatMap(allPassages));
    }
  }

  /** Opens the model of the link, or that of the last visit. */
  async restore(): Promise<void> {
    await this.#openLinked(this.#link, () => this.#restoreSaved());
  }

  /** Opens the model of an address that the user went back or forward to. The user's own documents stay with their
   *  model, unless the address names one. */
  async followModel(url: string): Promise<void> {
    const { loaded, builtInNotes } = this.#runner.store.state;
    if (url === urlInLink(loaded?.source) || (url === '' && !builtInNotes)) {
      return;
    }
    await this.#openLinked(url, () => this.models.openBuiltIn());
  }

  #openLinked(url: string, openBuiltIn: () => Promise<void>): Promise<void> {
    return openLinked(url, {
      open: (address) => this.models.openAddress(address),
      openBuiltIn,
      fail: (failure) => this.#runner.store.update({ failure }),
    });
  }

  async #restoreSaved(): Promise<void> {
    if (this.#saved === null) {
      await this.models.openBuiltIn();
    } else {
      await this.models.restore(this.#saved.model);
    }
    const { store } = this.#runner;
    if (store.state.failure === null) {
      store.update({ failure: this.#readFailure });
    }
  }

  /** Opens, imports or adds the given files, depending on their kind. */
  async receive(given: Promise<GivenFiles> | GivenFiles): Promise<void> {
    try {
      const { files, skipped } = await given;
      if (files.length === 0) {
        throw new Error('No files were found.');
      }
      const drop = await identifyFiles(files);
      if (drop.kind === 'mixed') {
        throw new Error(drop.message);
      }
      if (drop.kind === 'model') {
        await this.models.openFile(drop.file.file);
      } else if (drop.kind === 'index') {
        await this.index.import(drop.file.file);
      } else if (drop.kind === 'directory') {
        await this.models.openDirectory(drop.name, drop.files);
      } else {
        await this.documents.add({ files: drop.files, skipped: [...skipped, ...drop.skipped] });
      }
    } catch (error) {
      this.#runner.store.update({ failure: { title: 'The files were not opened', error } });
    }
  }

  resumeIndexing(): Promise<void> {
    return this.#runner.resumeIndexing();
  }

  deleteSaved(): Promise<void> {
    return this.#runner.run(deletionPlan, () => this.#runner.deleteSaved());
  }
}
