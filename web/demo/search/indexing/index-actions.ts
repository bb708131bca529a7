// The index as a file: out, and in again.

import { AmbryError, type Doc, loadIndex } from 'ambry';
import { formatAmount } from '../../shared/format.ts';
import type { JobPlan } from '../../shared/jobs.ts';
import type { Workbench } from '../action-runner.ts';
import { newId } from '../documents/passage-queue.ts';
import { passagesIn } from './recover-passages.ts';

function plan(title: string, failureTitle: string): JobPlan {
  const cancelNotice = 'Cancelled; everything is as it was.';
  return { title, failureTitle, cancelNotice, unit: 'bytes', lasting: true };
}

const bare = (name: string): string => name.replace(/\.ambryindex$/i, '');

export class IndexActions {
  readonly #bench: Workbench;

  constructor(bench: Workbench) {
    this.#bench = bench;
  }

  /** Hands the index as a file to `save`. */
  export(save: (content: Blob, name: string) => void): Promise<void> {
    const work = plan('Writing the index', 'The index was not exported');
    return this.#bench.run(work, async () => {
      const { index, loaded } = this.#bench.store.state;
      if (index !== null && loaded !== null) {
        save(await index.save({ model: loaded.name }), `${loaded.name}.ambryindex`);
      }
    });
  }

  /** Its passages take the place of all others. */
  async import(file: File): Promise<void> {
    const work = plan(`Reading ${file.name}`, 'The index was not imported');
    await this.#bench.run(work, async ({ signal }) => {
      const { store, keeper } = this.#bench;
      const { loaded, index: old } = store.state;
      if (loaded === null) {
        throw new Error('Open the model that made this index first.');
      }
      const index = await loadIndex(loaded.model, file, { signal });
      const source = { id: newId(), name: bare(file.name), passages: index.docs, imported: file };
      store.update({ sources: [source], builtInNotes: false, index });
      await old?.dispose();
      await keeper.save();
      const passages = formatAmount(index.size, 'passage');
      this.#bench.say(`Imported ${passages} without indexing anew.`);
    });
    await this.#offerRemedy(file);
  }

  /** Where the passages of an index that did not load can be read, they can be indexed again. */
  async #offerRemedy(file: File): Promise<void> {
    const { failure } = this.#bench.store.state;
    const passages = failure === null ? null : await passagesIn(file);
    if (failure === null || passages === null || this.#bench.store.state.failure !== failure) {
      return;
    }
    const isForeign = failure.error instanceof AmbryError && failure.error.path === 'model';
    const amount = formatAmount(passages.length, 'passage');
    const label = isForeign
      ? `Index its ${amount} with this model`
      : `Build it again from its ${amount}`;
    const act = (): void => void this.#rebuild(bare(file.name), passages);
    this.#bench.store.update({ failure: { ...failure, remedy: { label, act } } });
  }

  #rebuild(name: string, waiting: readonly Doc[]): Promise<void> {
    const work = plan(`Taking the passages of ${name}`, 'The index was not built again');
    return this.#bench.run(work, () =>
      this.#bench.setSources([{ id: newId(), name, passages: [], waiting }], { anew: true }),
    );
  }
}
