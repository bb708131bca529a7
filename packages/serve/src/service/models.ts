// The models of the server by name. They are opened in their order, and again after a crash.

import { AmbryError, type Model, type ModelOfKind } from 'ambry';
import { kindNames } from 'ambry/tables';
import { ApiError, reasonOf } from 'ambry-openai/shared';
import { type TurnRequest, Turns } from './turns.ts';

/** A model that is open already and stays its caller's, or a function that opens one. */
export type ModelEntry = Model | (() => Promise<Model>);
export type ModelEntries = Readonly<Record<string, ModelEntry>>;

export type ModelState = 'waiting' | 'loading' | 'ready' | 'failed';

export class ServedModel {
  readonly name: string;
  /** When it was opened last, in milliseconds. */
  since = Date.now();
  state: ModelState = 'waiting';
  opened: Model | undefined;
  readonly turns: Turns;
  readonly #entry: ModelEntry;
  #opening: Promise<void> | undefined;
  readonly #onError: (error: unknown) => void;

  constructor(
    name: string,
    entry: ModelEntry,
    maxQueue: number,
    onError: (error: unknown) => void,
  ) {
    this.name = name;
    this.#entry = entry;
    this.#onError = onError;
    this.turns = new Turns(maxQueue);
    if (typeof entry !== 'function') {
      this.#ready(entry);
    }
  }

  /** Never rejects: `state` says whether the model is open. */
  async open(): Promise<void> {
    if (typeof this.#entry !== 'function' || this.state === 'ready') {
      return;
    }
    this.#opening = this.#openBy(this.#entry);
    await this.#opening;
  }

  /** Runs a request, or a piece of it, when it is its turn. */
  async use<T>(signal: AbortSignal, work: () => Promise<T>, request?: TurnRequest): Promise<T> {
    const end = await this.turns.take(signal, request);
    try {
      return await work();
    } catch (error) {
      this.noteError(error);
      throw reasonOf(error, signal);
    } finally {
      end();
    }
  }

  /** A model that crashed is lost, and opened anew. */
  noteError(error: unknown): void {
    if (!(error instanceof AmbryError) || error.code !== 'Crashed' || this.state !== 'ready') {
      return;
    }
    this.#onError(error);
    const lost = this.opened;
    this.opened = undefined;
    this.state = 'failed';
    void lost?.dispose().catch(() => {});
    void this.open();
  }

  async dispose(): Promise<void> {
    await this.#opening;
    if (typeof this.#entry === 'function') {
      await this.opened?.dispose();
    }
  }

  async #openBy(entry: () => Promise<Model>): Promise<void> {
    this.state = 'loading';
    try {
      this.#ready(await entry());
    } catch (error) {
      this.state = 'failed';
      this.#onError(error);
    }
  }

  #ready(model: Model): void {
    this.opened = model;
    this.state = 'ready';
    this.since = Date.now();
  }
}

export class Models {
  readonly all: readonly ServedModel[];
  #isClosed = false;

  constructor(
    entries: ModelEntries,
    maxQueue: number,
    onError: (name: string, error: unknown) => void,
  ) {
    this.all = Object.entries(entries).map(
      ([name, entry]) => new ServedModel(name, entry, maxQueue, (error) => onError(name, error)),
    );
    if (this.all.length > 0) {
      return;
    }
    throw new AmbryError('BadValue', 'There must be a model to serve.', { path: 'models' });
  }

  get isReady(): boolean {
    return this.all.every(({ state }) => state === 'ready');
  }

  /** Resolves to the names of those that could not be opened. */
  async open(): Promise<readonly string[]> {
    for (const model of this.all) {
      if (!this.#isClosed) {
        await model.open();
      }
    }
    return this.all.filter(({ state }) => state === 'failed').map(({ name }) => name);
  }

  /** Throws an `ApiError`. Ollama's clients write `name:latest`. */
  find(name: string): ServedModel {
    const found = this.all.find((model) => model.name === name || `${model.name}:latest` === name);
    if (found) {
      return found;
    }
    const names = this.all.map((model) => model.name).join(', ');
    const message = `There is no model ${JSON.stringify(name)}. The models are: ${names}.`;
    throw new ApiError(404, message, { param: 'model', code: 'model_not_found' });
  }

  /** A model that is open, of one of these kinds. Throws an `ApiError`. */
  ready<K extends Model['kind']>(
    name: string,
    kinds: readonly K[],
  ): { served: ServedModel; model: ModelOfKind[K] } {
    const served = this.find(name);
    const { opened } = served;
    if (!opened) {
      throw notReady(served);
    }
    if (isOf(opened, kinds)) {
      return { served, model: opened };
    }
    const needed = kinds.map((kind) => kindNames[kind]).join(' or ');
    const message = `${served.name} is ${kindNames[opened.kind]}; this needs ${needed}.`;
    throw new ApiError(400, message, { param: 'model', code: 'unsupported_model' });
  }

  /** Refuses requests that wait or come, and opens no further model. */
  close(): void {
    this.#isClosed = true;
    for (const { turns } of this.all) {
      turns.close();
    }
  }

  async dispose(): Promise<void> {
    await Promise.all(this.all.map((model) => model.dispose()));
  }
}

function isOf<K extends Model['kind']>(model: Model, kinds: readonly K[]): model is ModelOfKind[K] {
  return (kinds as readonly Model['kind'][]).includes(model.kind);
}

function notReady({ name, state }: ServedModel): ApiError {
  if (state === 'failed') {
    const message = `${name} could not be opened. The server's log has the reason.`;
    return new ApiError(503, message, { param: 'model', code: 'model_failed' });
  }
  const message = `${name} is being opened. Try again later.`;
  return new ApiError(503, message, { param: 'model', code: 'model_loading', retryAfter: 5 });
}
