// Opens models for the page, one after another. The old one is closed when the new one is open.

import { open } from 'ambry';
import { targetExtensions } from 'ambry/tables';
import type { Store } from '../../shared/base/store.ts';
import { explainAddress, explainGiven } from '../../shared/explain/explain-failure.ts';
import { builtInSource, type FileSource, urlSource } from '../../shared/files/file-source.ts';
import type { GivenFiles } from '../../shared/files/given-files.ts';
import { type JobContext, type JobPlan, Jobs, openingPlan } from '../../shared/jobs/jobs.ts';
import type { Runtime } from '../../shared/site/runtime.ts';
import { type MemoryChoice, memoryFor, openOptionsOf } from '../state/settings.ts';
import type { ChatState, LoadedModel } from '../state/state.ts';
import { builtInFile, chatModelUrl } from './built-in.ts';
import { givenModel } from './given-model.ts';

const extensions = [targetExtensions.amb, targetExtensions.alt, targetExtensions.gguf];

async function openGenerator(
  from: FileSource,
  memory: MemoryChoice,
  runtime: Runtime,
  { signal, report }: JobContext,
): Promise<LoadedModel> {
  const model = await open(from.source, {
    ...runtime,
    ...openOptionsOf(memory),
    signal,
    onProgress: ({ loaded, total }) => report(loaded, total),
  });
  return { ...from, model, generator: model.info.generator };
}

export class ModelOpener {
  readonly #store: Store<ChatState>;
  readonly #runtime: Runtime;
  readonly #jobs: Jobs<ChatState>;
  readonly #onOpened: (loaded: LoadedModel) => void;

  /** `onOpened` makes the model the one of the page. */
  constructor(store: Store<ChatState>, runtime: Runtime, onOpened: (loaded: LoadedModel) => void) {
    this.#store = store;
    this.#runtime = runtime;
    this.#jobs = new Jobs(store);
    this.#onOpened = onOpened;
  }

  openBuiltIn(): Promise<void> {
    return this.#open('Loading the built-in model', builtInSource(builtInFile, extensions));
  }

  /** Opens the built-in model that follows a conversation. */
  openChatModel(): Promise<void> {
    return this.#open('Loading the chat model', urlSource(chatModelUrl(), extensions));
  }

  openUrl(url: string): Promise<void> {
    return this.#open(`Loading ${url}`, urlSource(url, extensions), explainAddress(url, 'chat'));
  }

  /** Opens the given file. A large one is kept in memory only in part. */
  async receive(given: Promise<GivenFiles> | GivenFiles): Promise<void> {
    try {
      const all = await given;
      const model = givenModel(all.files, extensions);
      if (model === undefined) {
        this.#store.update({
          notice: 'Choose one language model: a file, its parts or its folder.',
        });
        return;
      }
      this.#store.update({ memory: memoryFor(this.#store.state.memory, model.bytes) });
      await this.#open(`Opening ${model.from.name}`, model.from, explainGiven(all, 'chat'));
    } catch (error) {
      this.#store.update({ failure: { title: 'The file could not be opened', error } });
    }
  }

  /** Opens the model again with other memory settings. */
  async setMemory(memory: MemoryChoice): Promise<void> {
    this.#store.update({ memory });
    const { loaded } = this.#store.state;
    if (loaded !== null) {
      await this.#open(`Opening ${loaded.name} again`, loaded);
    }
  }

  /** Starts a model again whose worker died. */
  reopen(loaded: LoadedModel): Promise<void> {
    return this.#open(`Starting ${loaded.name} again`, loaded);
  }

  #open(title: string, from: FileSource, explain?: JobPlan['explain']): Promise<void> {
    const plan = openingPlan(title, 'The model was not opened', explain);
    return this.#jobs.run(plan, async (context) => {
      const { memory } = this.#store.state;
      const loaded = await openGenerator(from, memory, this.#runtime, context);
      const old = this.#store.state.loaded;
      this.#onOpened(loaded);
      await old?.model.dispose();
    });
  }
}
