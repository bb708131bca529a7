// Other models: each one is opened and indexes the documents before the one in use goes.

import { createIndex, loadIndex, type Model, type SearchIndex } from 'ambry';
import type { JobContext, JobPlan } from '../../shared/jobs.ts';
import type { Workbench } from '../action-runner.ts';
import { fetchNotes } from '../built-in.ts';
import { allPassages, asIndexed, asWaiting } from '../documents/passage-queue.ts';
import { howToIndex, IndexingProgress } from '../indexing/indexing.ts';
import type { DocumentSource, LoadedModel, SearchState } from '../state.ts';
import { converter, fileFacts } from './model-sources.ts';
import { builtInFacts, type ModelFacts, type Opener, opener } from './open-model.ts';

const kFailureTitle = 'The model was not opened';

function plan(title: string): JobPlan {
  return {
    title,
    failureTitle: kFailureTitle,
    cancelNotice: 'Cancelled; everything is as it was.',
    unit: 'bytes',
    interrupts: true,
  };
}

export class ModelActions {
  readonly #bench: Workbench;

  constructor(bench: Workbench) {
    this.#bench = bench;
  }

  openBuiltIn(): Promise<void> {
    return this.#openAs('Loading the built-in model', builtInFacts());
  }

  openFile(file: File): Promise<void> {
    return this.#openAs(`Opening ${file.name}`, fileFacts(file));
  }

  /** The address of a file, or of a Hugging Face directory, which is converted here. */
  openAddress(address: string): Promise<void> {
    return this.#switch(`Loading ${address}`, async (context) => {
      const { openAddress } = await import('./remote-model.ts');
      return openAddress(address, this.#bench.runtime, context);
    });
  }

  openDirectory(name: string, files: ReadonlyMap<string, File>): Promise<void> {
    return this.#switch(`Converting ${name}`, converter(name, files, this.#bench.runtime));
  }

  /** Starts the present model and its index anew after their workers died. */
  async reopen(): Promise<void> {
    const { loaded } = this.#bench.store.state;
    if (loaded !== null) {
      await this.#openAs(`Starting ${loaded.name} again`, loaded);
    }
  }

  /** Opens what the last visit left open; what is built in where that cannot be had any more. */
  async restore(model: ModelFacts): Promise<void> {
    const { runtime, store } = this.#bench;
    let lost: unknown;
    await this.#switch(`Loading ${model.name}`, async (context) => {
      try {
        return await opener(model, runtime)(context);
      } catch (error) {
        context.signal.throwIfAborted();
        lost = error;
        context.stage('Loading the built-in model', 'bytes');
        return opener(builtInFacts(), runtime)(context);
      }
    });
    if (lost !== undefined && store.state.failure === null) {
      store.update({ failure: { title: `${model.name} was not opened again`, error: lost } });
    }
  }

  #openAs(title: string, facts: ModelFacts): Promise<void> {
    return this.#switch(title, opener(facts, this.#bench.runtime));
  }

  #switch(title: string, open: Opener): Promise<void> {
    return this.#bench.run(plan(title), async (context) => {
      const { store, keeper } = this.#bench;
      const loaded = await open(context);
      const { loaded: old, index: oldIndex } = store.state;
      try {
        store.update(await this.#fill(loaded, context));
      } catch (error) {
        await loaded.model.dispose();
        throw error;
      }
      await oldIndex?.dispose();
      await old?.model.dispose();
      await keeper.save();
    });
  }

  /** The model with an index of the documents. Where none serves meanwhile, the page gets it at once, and what
   *  is in it grows. */
  async #fill(
    loaded: LoadedModel,
    { signal, stage, report }: JobContext,
  ): Promise<Pick<SearchState, 'loaded' | 'index' | 'sources'>> {
    const { index: old, sources, builtInNotes } = this.#bench.store.state;
    const isFirst = builtInNotes && sources.length === 0;
    const all = isFirst ? [await fetchNotes(signal)] : sources;
    if (old === null) {
      return { loaded, ...(await startIndex(loaded.model, all)) };
    }
    stage('Indexing', 'passages');
    const passages = all.flatMap(allPassages);
    const { onProgress } = new IndexingProgress(0, passages.length, report);
    const how = howToIndex(loaded, passages.length, !builtInNotes);
    const index = await createIndex(loaded.model, passages, { signal, ...how, onProgress });
    return { loaded, index, sources: all.map(asIndexed) };
  }
}

/** An index that has what the documents brought with them, and waits for the rest. */
async function startIndex(
  model: Model,
  sources: readonly DocumentSource[],
): Promise<{ readonly index: SearchIndex; readonly sources: readonly DocumentSource[] }> {
  const [first, ...others] = sources;
  if (first?.imported !== undefined) {
    try {
      const { id, name, imported } = first;
      const index = await loadIndex(model, imported);
      const whole = { id, name, imported, passages: index.docs };
      return { index, sources: [whole, ...others.map(asWaiting)] };
    } catch {
      // Its passages are kept beside it, and are indexed again.
    }
  }
  return { index: await createIndex(model, []), sources: sources.map(asWaiting) };
}
