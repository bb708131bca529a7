// Keeps a model that answers questions beside the model that searches.

import { open } from 'ambry';
import { openingPlan } from '../../shared/jobs/jobs.ts';
import type { LoadedReader } from '../state/state.ts';
import type { ActionRunner } from './action-runner.ts';

export class ReaderActions {
  readonly #runner: ActionRunner;
  #mounted = false;

  constructor(runner: ActionRunner) {
    this.#runner = runner;
  }

  /** Takes the place of the one that was open. */
  async keep(reader: LoadedReader): Promise<void> {
    try {
      await this.#mount();
    } catch (error) {
      await reader.model.dispose();
      throw error;
    }
    const { store } = this.#runner;
    const { reader: old } = store.state;
    store.update({ reader });
    await old?.model.dispose();
    this.#runner.notify(`${reader.name} answers your questions from the documents.`);
  }

  async close(): Promise<void> {
    const { store } = this.#runner;
    const { reader } = store.state;
    store.update({ reader: null });
    this.#runner.notify('The model for answers is closed.');
    await reader?.model.dispose();
  }

  /** Opens the model again after its worker died. */
  async reopen(): Promise<void> {
    const { store, runtime } = this.#runner;
    const { reader } = store.state;
    if (reader === null) {
      return;
    }
    const plan = openingPlan(`Starting ${reader.name} again`, 'The model was not opened');
    await this.#runner.run(plan, async ({ signal, report }) => {
      const model = await open(reader.source, {
        ...runtime,
        kind: 'questionAnswering',
        signal,
        onProgress: ({ loaded, total }) => report(loaded, total),
      });
      await this.keep({ ...reader, model });
    });
  }

  async #mount(): Promise<void> {
    if (this.#mounted) {
      return;
    }
    const [{ mountAnswers }, { mountReaderPanel }] = await Promise.all([
      import('../answers/read-answers.ts'),
      import('../answers/reader-panel.ts'),
    ]);
    const { store } = this.#runner;
    this.#mounted = true;
    mountReaderPanel(store, () => void this.close());
    mountAnswers(store, () => void this.reopen());
  }
}
