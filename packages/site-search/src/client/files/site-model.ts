// The model of an index: opened when a search may need it, and once.
import type { Encoder, Progress } from 'ambry/static-encoder';
import { AmbryError } from 'ambry/terms';
import type { ModelInfo } from '../../shared/manifest.ts';
import type { MeaningState, SiteSearchOptions } from '../base/types.ts';
import type { SiteFiles } from './site-files.ts';

export class SiteModel {
  readonly #files: SiteFiles;
  readonly #keep: boolean;
  readonly #given: SiteSearchOptions['model'];
  #name = '';
  #opening: Promise<Encoder> | undefined;
  #encoder: Encoder | undefined;
  #error: AmbryError | undefined;
  /** Functions that are told which bytes have arrived. */
  readonly #listeners = new Set<(progress: Progress) => void>();

  constructor(
    files: SiteFiles,
    { model, keepModel = typeof document !== 'undefined' }: SiteSearchOptions,
  ) {
    this.#files = files;
    this.#keep = keepModel;
    this.#given = model;
    if (model) {
      this.#encoder = model;
    }
  }

  get state(): MeaningState {
    if (this.#given === false) {
      return 'off';
    }
    if (this.#encoder) {
      return 'ready';
    }
    if (this.#error) {
      return 'failed';
    }
    return this.#opening ? 'loading' : 'waiting';
  }

  get error(): AmbryError | undefined {
    return this.#error;
  }

  /** Undefined while it is not there. */
  get encoder(): Encoder | undefined {
    return this.#encoder;
  }

  /** Opens the model that the index names. A failure is kept until the index names another one, or `isAgain`. */
  async open(model: ModelInfo | undefined, isAgain = false): Promise<Encoder> {
    if (this.#given) {
      return this.#given;
    }
    if (this.#given === false) {
      const message = 'This search was opened without a model. It searches by words only.';
      throw new AmbryError('Unsupported', message, { path: 'options.mode' });
    }
    if (model && (model.name !== this.#name || (isAgain && this.#error))) {
      await this.#start(model);
    }
    return this.#opening as Promise<Encoder>;
  }

  /** Calls `listener` while the model is opened, until the returned function is called. */
  listen(listener: (progress: Progress) => void): () => void {
    // One listener may be given twice.
    const own = (progress: Progress) => listener(progress);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  async dispose(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    this.#encoder = this.#given || undefined;
    this.#name = '';
    await opening?.then(
      (encoder) => encoder.dispose(),
      () => {},
    );
  }

  async #start(model: ModelInfo): Promise<void> {
    const before = this.dispose();
    this.#name = model.name;
    this.#error = undefined;
    const opening = this.#files.model(model, this.#keep, (progress) => {
      if (this.#opening === opening) {
        for (const listener of this.#listeners) {
          listener(progress);
        }
      }
    });
    this.#opening = opening;
    opening.then(
      (encoder) => {
        if (this.#opening === opening) {
          this.#encoder = encoder;
        }
      },
      (error: unknown) => {
        if (this.#opening === opening) {
          this.#error = asError(error);
        }
      },
    );
    await before;
  }
}

function asError(error: unknown): AmbryError {
  if (error instanceof AmbryError) {
    return error;
  }
  const message = error instanceof Error ? error.message : String(error);
  return new AmbryError('Crashed', message, { path: 'model', cause: error });
}
