// Exports and imports the index as a file.

import { AmbryError, type Doc, openIndex } from 'ambry';
import { formatAmount } from '../../shared/base/format.ts';
import { withoutExtension } from '../../shared/files/file-extension.ts';
import { indexExtension } from '../../shared/files/file-types.ts';
import type { JobPlan } from '../../shared/jobs/jobs.ts';
import { newId } from '../documents/passage-queue.ts';
import { recoverPassages } from '../indexing/recover-passages.ts';
import type { ActionRunner } from './action-runner.ts';

function plan(title: string, failureTitle: string): JobPlan {
  return { title, failureTitle, unit: 'bytes', uninterruptible: true };
}

const baseName = (name: string): string => withoutExtension(name, indexExtension);

export class IndexActions {
  readonly #runner: ActionRunner;

  constructor(runner: ActionRunner) {
    this.#runner = runner;
  }

  /** Passes the index file to `save`. */
  export(save: (content: Blob, name: string) => void): Promise<void> {
    const work = plan('Exporting the index', 'The index was not exported');
    return this.#runner.run(work, async () => {
      const { index, loaded } = this.#runner.store.state;
      if (index !== null && loaded !== null) {
        save(await index.save({ model: loaded.name }), loaded.name + indexExtension);
      }
    });
  }

  /** Replaces all passages by those of an index file. */
  async import(file: File): Promise<void> {
    const work = plan(`Importing ${file.name}`, 'The index was not imported');
    await this.#runner.run(work, async ({ signal }) => {
      const { store, workspace } = this.#runner;
      const { loaded, index: old } = store.state;
      if (loaded === null) {
        throw new Error('Open the model that made this index first.');
      }
      const index = await openIndex(file, { model: loaded.model, signal });
      const source = {
        id: newId(),
        name: baseName(file.name),
        passages: index.docs,
        imported: file,
      };
      store.update({ sources: [source], builtInNotes: false, index });
      await old?.dispose();
      await workspace.save();
      const passages = formatAmount(index.size, 'passage');
      const note = index.computesAlike
        ? ''
        : ' Their vectors were computed with other weights or by another version, so scores may be off by some thousandths.';
      this.#runner.notify(`Imported ${passages}.${note}`);
    });
    await this.#offerRebuild(file);
  }

  /** Offers to index the passages again if the file has them whole. */
  async #offerRebuild(file: File): Promise<void> {
    const { failure } = this.#runner.store.state;
    const passages = failure === null ? null : await recoverPassages(file);
    if (failure === null || passages === null || this.#runner.store.state.failure !== failure) {
      return;
    }
    const isOtherModel = failure.error instanceof AmbryError && failure.error.path === 'model';
    const amount = formatAmount(passages.length, 'passage');
    const label = isOtherModel
      ? `Index its ${amount} with this model`
      : `Rebuild it from its ${amount}`;
    const act = (): void => void this.#rebuild(baseName(file.name), passages);
    this.#runner.store.update({ failure: { ...failure, remedy: { label, act } } });
  }

  #rebuild(name: string, waiting: readonly Doc[]): Promise<void> {
    const work = plan(`Reading the passages of ${name}`, 'The index was not rebuilt');
    return this.#runner.run(work, () =>
      this.#runner.setSources([{ id: newId(), name, passages: [], waiting }], {
        replaceIndex: true,
      }),
    );
  }
}
