// The actions of a task with a text: it opens models, and asks the open one about what is typed. The newest text wins.

import { AmbryError, type TextClassifier, type TokenClassifier } from 'ambry';
import type { Store } from '../../shared/base/store.ts';
import type { ClassifyState, OpenTextModel, TextPart } from '../state/state.ts';

/** How a part of the state is read, and how a text is asked about. */
export interface PartSetup<Model, Found> {
  readonly failureTitle: string;
  of(state: ClassifyState): TextPart<Model, Found>;
  put(part: TextPart<Model, Found>): Partial<ClassifyState>;
  find(model: Model, text: string, state: ClassifyState, signal: AbortSignal): Promise<Found>;
}

export class PartSession<Model extends TextClassifier | TokenClassifier, Found> {
  readonly #store: Store<ClassifyState>;
  readonly #setup: PartSetup<Model, Found>;
  /** Opens the model again after its worker has died. */
  readonly #reopen: (loaded: OpenTextModel<Model>) => Promise<void>;
  #asking = new AbortController();

  constructor(
    store: Store<ClassifyState>,
    setup: PartSetup<Model, Found>,
    reopen: (loaded: OpenTextModel<Model>) => Promise<void>,
  ) {
    this.#store = store;
    this.#setup = setup;
    this.#reopen = reopen;
  }

  get #part(): TextPart<Model, Found> {
    return this.#setup.of(this.#store.state);
  }

  #patch(patch: Partial<TextPart<Model, Found>>): void {
    this.#store.update(this.#setup.put({ ...this.#part, ...patch }));
  }

  /** Takes the place of the model before, and answers what is typed. */
  async use(loaded: OpenTextModel<Model>): Promise<void> {
    const old = this.#part.loaded;
    this.#patch({ loaded, answer: null });
    await old?.model.dispose();
    await this.ask();
  }

  /** Shows a text before it is asked about. */
  type(typed: string): void {
    this.#patch({ typed });
  }

  /** Asks about what is typed. A newer question aborts an older one. */
  async ask(): Promise<void> {
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    const { typed, loaded } = this.#part;
    if (loaded === null) {
      return;
    }
    if (typed.trim() === '') {
      this.#patch({ answer: null });
      return;
    }
    const isOutdated = (): boolean => signal.aborted || this.#part.loaded !== loaded;
    try {
      const found = await this.#setup.find(loaded.model, typed, this.#store.state, signal);
      if (!isOutdated()) {
        this.#store.update({ failure: null });
        this.#patch({ answer: { text: typed, found } });
      }
    } catch (error) {
      if (isOutdated()) {
        return;
      }
      if (error instanceof AmbryError && error.code === 'Crashed') {
        await this.#reopen(loaded);
      } else {
        this.#store.update({ failure: { title: this.#setup.failureTitle, error } });
      }
    }
  }
}
