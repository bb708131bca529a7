// Opens another model. The old model stays in use until the new one has indexed the documents.

import { createIndex, openIndex, type SearchIndex } from 'ambry';
import { explainAddress, explainGiven } from '../../shared/explain/explain-failure.ts';
import type { GivenFiles } from '../../shared/files/given-files.ts';
import { type JobContext, type JobPlan, openingPlan } from '../../shared/jobs/jobs.ts';
import { allPassages, asIndexed, asWaiting } from '../documents/passage-queue.ts';
import { IndexingProgress, indexOptionsFor } from '../indexing/indexing.ts';
import {
  converter,
  fileChoice,
  type GivenOpener,
  givenOpener,
  isReader,
} from '../model/model-sources.ts';
import { builtInChoice, type ModelChoice, opener } from '../model/open-model.ts';
import { fetchNotes } from '../state/built-in.ts';
import type { DocumentSource, Embedder, LoadedModel, SearchState } from '../state/state.ts';
import type { ActionRunner } from './action-runner.ts';
import { ReaderActions } from './reader-actions.ts';

export class ModelActions {
  readonly #runner: ActionRunner;
  readonly #readers: ReaderActions;

  constructor(runner: ActionRunner) {
    this.#runner = runner;
    this.#readers = new ReaderActions(runner);
  }

  openBuiltIn(): Promise<void> {
    return this.#openAs('Loading the built-in model', builtInChoice());
  }

  openFile(file: File): Promise<void> {
    const open = givenOpener(fileChoice(file), this.#runner.runtime);
    const given = { files: [{ path: file.name, file }], skipped: [] };
    return this.#switch(`Opening ${file.name}`, open, explainGiven(given, 'search'));
  }

  /** Opens a file, or converts a Hugging Face folder, from its address. */
  openAddress(address: string): Promise<void> {
    const open: GivenOpener = async (context) => {
      const { openAddress } = await import('../model/remote-model.ts');
      return openAddress(address, this.#runner.runtime, context);
    };
    return this.#switch(`Loading ${address}`, open, explainAddress(address, 'search'));
  }

  openDirectory(name: string, files: ReadonlyMap<string, File>): Promise<void> {
    const open = converter(name, files, this.#runner.runtime);
    return this.#switch(`Converting ${name}`, open, explainGiven(givenFrom(files), 'search'));
  }

  /** Opens the model and its index again after a worker died. */
  async reopen(): Promise<void> {
    const { loaded } = this.#runner.store.state;
    if (loaded !== null) {
      await this.#openAs(`Starting ${loaded.name} again`, loaded);
    }
  }

  /** Opens the model of the last visit, or the built-in model if that fails. */
  async restore(model: ModelChoice): Promise<void> {
    const { runtime, store } = this.#runner;
    let failure: unknown;
    await this.#switch(`Loading ${model.name}`, async (context) => {
      try {
        return await opener(model, runtime)(context);
      } catch (error) {
        context.signal.throwIfAborted();
        failure = error;
        context.stage('Loading the built-in model', 'bytes');
        return opener(builtInChoice(), runtime)(context);
      }
    });
    if (failure !== undefined && store.state.failure === null) {
      const title = `${model.name} could not be opened again`;
      store.update({ failure: { title, error: failure } });
    }
  }

  #openAs(title: string, choice: ModelChoice): Promise<void> {
    return this.#switch(title, opener(choice, this.#runner.runtime));
  }

  #switch(title: string, open: GivenOpener, explain?: JobPlan['explain']): Promise<void> {
    return this.#runner.run(
      openingPlan(title, 'The model was not opened', explain),
      async (context) => {
        const { store, workspace } = this.#runner;
        const loaded = await open(context);
        if (isReader(loaded)) {
          await this.#readers.keep(loaded);
          return;
        }
        const { loaded: old, index: oldIndex } = store.state;
        try {
          store.update(await this.#indexAll(loaded, context));
        } catch (error) {
          await loaded.model.dispose();
          throw error;
        }
        await oldIndex?.dispose();
        await old?.model.dispose();
        await workspace.save();
      },
    );
  }

  /** Indexes all documents with the model. If there is no index yet, it starts an empty one, so that the page can use
   *  the model at once. */
  async #indexAll(
    loaded: LoadedModel,
    { signal, stage, report }: JobContext,
  ): Promise<Pick<SearchState, 'loaded' | 'index' | 'sources'>> {
    const { index: old, sources, builtInNotes } = this.#runner.store.state;
    const isFirst = builtInNotes && sources.length === 0;
    const all = isFirst ? [await fetchNotes(signal)] : sources;
    if (old === null) {
      return { loaded, ...(await startIndex(loaded.model, all)) };
    }
    stage('Indexing', 'passages');
    const passages = all.flatMap(allPassages);
    const { onProgress } = new IndexingProgress(0, passages.length, report);
    const options = indexOptionsFor(loaded, passages.length, !builtInNotes);
    const index = await createIndex(loaded.model, passages, { signal, ...options, onProgress });
    return { loaded, index, sources: all.map(asIndexed) };
  }
}

/** The files of a folder, as they would be given to another page. */
function givenFrom(files: ReadonlyMap<string, File>): GivenFiles {
  return { files: [...files].map(([path, file]) => ({ path, file })), skipped: [] };
}

/** An index with the imported passages. All others wait. */
async function startIndex(
  model: Embedder,
  sources: readonly DocumentSource[],
): Promise<{ readonly index: SearchIndex; readonly sources: readonly DocumentSource[] }> {
  const [first, ...others] = sources;
  if (first?.imported !== undefined) {
    try {
      const { id, name, imported } = first;
      const index = await openIndex(imported, { model });
      const source = { id, name, imported, passages: index.docs };
      return { index, sources: [source, ...others.map(asWaiting)] };
    } catch {
      // The index cannot be read. The passages are saved beside it and are indexed again.
    }
  }
  return { index: await createIndex(model, []), sources: sources.map(asWaiting) };
}
