// Everything the page can do beyond its first act; fetched with the first of them.

import type { FileHaul } from '../shared/given-files.ts';
import type { Failure, JobPlan, Jobs } from '../shared/jobs.ts';
import type { Runtime } from '../shared/runtime.ts';
import type { Store } from '../shared/store.ts';
import { Workbench } from './action-runner.ts';
import { DocumentActions } from './documents/document-actions.ts';
import { IndexActions } from './indexing/index-actions.ts';
import { ModelActions } from './model/model-actions.ts';
import { sortFiles } from './sort-files.ts';
import type { SearchState } from './state.ts';
import type { Contents } from './storage/workspace-files.ts';

const kForgetting: JobPlan = {
  title: 'Forgetting what is kept here',
  failureTitle: 'Not everything could be forgotten',
  cancelNotice: 'Cancelled.',
  unit: 'bytes',
  lasting: true,
};

export class Actions {
  readonly models: ModelActions;
  readonly documents: DocumentActions;
  readonly index: IndexActions;
  readonly #bench: Workbench;
  #left: Contents | null = null;
  #lost: Failure | null = null;

  constructor(store: Store<SearchState>, jobs: Jobs<SearchState>, runtime: Runtime) {
    this.#bench = new Workbench(store, jobs, runtime);
    this.models = new ModelActions(this.#bench);
    this.documents = new DocumentActions(this.#bench);
    this.index = new IndexActions(this.#bench);
  }

  /** Reads what the last visit left; its documents wait for a model from here on. */
  async recall(): Promise<void> {
    const { store, keeper } = this.#bench;
    try {
      this.#left = await keeper.read();
    } catch (error) {
      this.#lost = { title: 'What was kept from the last visit could not be read', error };
    }
    if (this.#left !== null) {
      const { sources, builtInNotes } = this.#left;
      store.update({ sources, builtInNotes });
    }
  }

  /** Goes on where the last visit ended. */
  async restore(): Promise<void> {
    if (this.#left === null) {
      await this.models.openBuiltIn();
    } else {
      await this.models.restore(this.#left.model);
    }
    const { store } = this.#bench;
    if (store.state.failure === null) {
      store.update({ failure: this.#lost });
    }
  }

  /** Takes whatever was dropped or picked and does what it is for. */
  async receive(haul: Promise<FileHaul> | FileHaul): Promise<void> {
    try {
      const { files, leftOut } = await haul;
      if (files.length === 0) {
        throw new Error('There is no file in what you chose.');
      }
      const drop = await sortFiles(files);
      if (drop.kind === 'mixture') {
        throw new Error(drop.message);
      }
      if (drop.kind === 'model') {
        await this.models.openFile(drop.file.file);
      } else if (drop.kind === 'index') {
        await this.index.import(drop.file.file);
      } else if (drop.kind === 'directory') {
        await this.models.openDirectory(drop.name, drop.files);
      } else {
        await this.documents.add({ files: drop.files, leftOut: [...leftOut, ...drop.leftOut] });
      }
    } catch (error) {
      this.#bench.store.update({ failure: { title: 'These files were not taken', error } });
    }
  }

  goOn(): Promise<void> {
    return this.#bench.goOn();
  }

  forget(): Promise<void> {
    return this.#bench.run(kForgetting, () => this.#bench.forget());
  }
}
