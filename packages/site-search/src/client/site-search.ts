// Searches an index. It keeps a snapshot, and takes a new one when files of the old one are gone.
import type { Encoder } from 'ambry/static-encoder';
import { AmbryError } from 'ambry/terms';
import { refuseUnknown } from '../shared/refuse-unknown.ts';
import { answer, searchDefaults } from './answer.ts';
import type {
  MeaningState,
  PrepareOptions,
  SearchMode,
  SearchOptions,
  SiteAnswer,
  SiteSearchOptions,
  SiteSource,
} from './base/types.ts';
import { answersOptionNames, checkSearch, prepareOptionNames } from './check-options.ts';
import { SiteFiles } from './files/site-files.ts';
import { SiteModel } from './files/site-model.ts';
import { Snapshot } from './files/snapshot.ts';
import { StaleFile } from './files/stale-file.ts';
import { type Meaning, meaningOfModel } from './meaning.ts';
import { withSignal } from './with-signal.ts';
import { meaningOfWords } from './words-meaning.ts';

const defaultTimeout = 30_000;

export class SiteSearch {
  readonly #files: SiteFiles;
  readonly #model: SiteModel;
  readonly #site: SiteSearchOptions['site'];
  /** Whether the caller said nothing of a model. */
  readonly #isModelOfIndex: boolean;
  #snapshot: Snapshot;
  #renewing: Promise<Snapshot> | undefined;

  private constructor(files: SiteFiles, snapshot: Snapshot, options: SiteSearchOptions) {
    this.#files = files;
    this.#snapshot = snapshot;
    this.#site = options.site;
    this.#isModelOfIndex = options.model === undefined;
    this.#model = new SiteModel(files, options);
  }

  /** @internal */
  static async open(source: SiteSource, options: SiteSearchOptions): Promise<SiteSearch> {
    const files = new SiteFiles(source, options.timeout ?? defaultTimeout);
    const manifest = await withSignal(files.manifest(false), options.signal);
    return new SiteSearch(files, new Snapshot(manifest, files, false), options);
  }

  /** The number of pages that are searched. */
  get pages(): number {
    return this.#snapshot.manifest.pages;
  }

  /** The address of the site. */
  get siteUrl(): string {
    return this.#urlOf('');
  }

  /** The names of the filters. */
  get filters(): string[] {
    return Object.keys(this.#snapshot.manifest.filters);
  }

  /** Bytes of the model's file; 0 if the index has vectors of words in place of a model. */
  get modelBytes(): number {
    return this.#snapshot.manifest.model?.bytes ?? 0;
  }

  /** Whether the model is there. */
  get meaning(): MeaningState {
    return this.#modelState().meaning;
  }

  /**
   * Fetches the model, for example when the search box gets the focus. After a failure it tries again. `onProgress` is told
   * of the bytes of its file. Rejects with the `AmbryError` of the failure.
   */
  async prepare(options: PrepareOptions = {}): Promise<void> {
    refuseUnknown(options, prepareOptionNames);
    const { signal, onProgress } = options;
    const unlisten = onProgress && this.#model.listen(onProgress);
    try {
      await withSignal(
        this.#fresh<unknown>((snapshot) =>
          this.#isOfModel(snapshot) ? this.#openModel(snapshot, true) : snapshot.table(),
        ),
        signal,
      );
    } finally {
      unlisten?.();
    }
  }

  /**
   * The pages that a query finds. Words are searched at once, and meaning as `mode` says.
   *
   * Rejects with `Http` if a file cannot be fetched, with `NotFound` or `Mismatch` if files of the index are gone and its
   * manifest, loaded again, names no better ones, with `BadValue` for an option, and with an `AbortError`.
   *
   * @example
   * const { state, pages } = await site.search('how do I start', { k: 5 });
   */
  async search(query: string, options: SearchOptions = {}): Promise<SiteAnswer> {
    checkSearch(query, options);
    const { mode = searchDefaults.mode, signal } = options;
    return withSignal(
      this.#fresh((snapshot) => this.#answer(snapshot, query, mode, options)),
      signal,
    );
  }

  /**
   * Answers by words at once, and then by words and meaning when the model is there, for each query. A model that cannot be
   * had leaves the first answer the only one. Where vectors of words give queries their meaning, there is one answer, by both; where nothing
   * does, one by words.
   *
   * @example
   * for await (const answer of site.answers('how do I start')) console.log(answer.by, answer.pages.length);
   */
  async *answers(
    query: string,
    options: Omit<SearchOptions, 'mode'> = {},
  ): AsyncGenerator<SiteAnswer, void, undefined> {
    refuseUnknown(options, answersOptionNames);
    if (!this.#isOfModel(this.#snapshot)) {
      yield await this.search(query, { ...options, mode: 'auto' });
      return;
    }
    if (this.#model.state === 'waiting') {
      this.#openModel(this.#snapshot, false).catch(() => {});
    }
    const isReady = this.#model.state === 'ready';
    const first = await this.search(query, { ...options, mode: 'words' });
    // Where nothing has the words, what comes at once says so.
    if (first.state !== 'no-words' || !isReady) {
      yield first;
    }
    if (first.state === 'empty') {
      return;
    }
    // After a failure only `prepare` tries again, and not each letter that is typed.
    if (first.meaning === 'off' || first.meaning === 'failed') {
      return;
    }
    const model = this.#fresh((snapshot) => this.#openModel(snapshot, false)).catch(
      () => undefined,
    );
    if (!(await withSignal(model, options.signal))) {
      if (this.#model.state === 'failed') {
        yield { ...first, ...this.#modelState() };
      }
      return;
    }
    yield await this.search(query, { ...options, mode: 'hybrid' });
  }

  /** Ends the worker of the model, unless the caller brought it. */
  async dispose(): Promise<void> {
    await this.#model.dispose();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }

  async #answer(
    snapshot: Snapshot,
    query: string,
    mode: SearchMode,
    options: SearchOptions,
  ): Promise<SiteAnswer> {
    const meaning = await this.#meaningFor(snapshot, mode);
    const by = mode === 'auto' ? (meaning ? 'hybrid' : 'words') : mode;
    const urlOf = (path: string) => this.#urlOf(path);
    const plain = await answer(snapshot, query, { ...options, meaning, by, urlOf });
    return { ...plain, ...this.#modelState() };
  }

  /** Whether vectors of words give queries their meaning, which need no model. */
  #isByWordVectors({ manifest }: Snapshot): boolean {
    return this.#isModelOfIndex && manifest.sets.related !== undefined;
  }

  /** Whether a model gives queries their meaning. */
  #isOfModel(snapshot: Snapshot): boolean {
    return snapshot.hasMeaning && !this.#isByWordVectors(snapshot);
  }

  /** Undefined if the search is by words. */
  async #meaningFor(snapshot: Snapshot, mode: SearchMode): Promise<Meaning | undefined> {
    if (mode === 'words' || (mode === 'auto' && !snapshot.hasMeaning)) {
      return undefined;
    }
    if (!snapshot.hasMeaning) {
      const message = 'This index was made without meaning. It is searched by words only.';
      throw new AmbryError('Unsupported', message, { path: 'options.mode' });
    }
    if (this.#isByWordVectors(snapshot)) {
      return meaningOfWords;
    }
    const encoder = await this.#encoderFor(snapshot, mode);
    return encoder && meaningOfModel(encoder);
  }

  /** Undefined if the model is not there yet and need not be. */
  async #encoderFor(
    snapshot: Snapshot,
    mode: Exclude<SearchMode, 'words'>,
  ): Promise<Encoder | undefined> {
    if (mode !== 'auto') {
      return this.#openModel(snapshot, true);
    }
    if (this.#model.state === 'waiting') {
      this.#openModel(snapshot, false).catch(() => {});
    }
    return this.#model.encoder;
  }

  async #openModel(snapshot: Snapshot, isAgain: boolean): Promise<Encoder> {
    return this.#model.open(snapshot.manifest.model, isAgain);
  }

  #modelState(): Pick<SiteAnswer, 'meaning' | 'meaningError'> {
    if (this.#isByWordVectors(this.#snapshot)) {
      return { meaning: 'ready' };
    }
    if (!this.#snapshot.hasMeaning) {
      return { meaning: 'off' };
    }
    const { state: meaning, error } = this.#model;
    return { meaning, ...(error && { meaningError: error }) };
  }

  /** Does the work, and does it once more with a new manifest if a file of the index is stale. */
  async #fresh<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    const snapshot = this.#snapshot;
    try {
      return await work(snapshot);
    } catch (error) {
      if (!(error instanceof StaleFile) && !isMissingModel(error, this.#model)) {
        throw error;
      }
      if (error instanceof StaleFile && error.code === 'Mismatch') {
        // The index may be right, and what lies on the way may cut files at wrong places.
        this.#files.refuseRanges();
      }
      return work(await this.#renewed(snapshot));
    }
  }

  /** Searches at the same time wait for one manifest. */
  async #renewed(stale: Snapshot): Promise<Snapshot> {
    if (this.#snapshot !== stale) {
      return this.#snapshot;
    }
    this.#renewing ??= this.#files.manifest(true).then((manifest) => {
      this.#snapshot = new Snapshot(manifest, this.#files, true);
      return this.#snapshot;
    });
    try {
      return await this.#renewing;
    } finally {
      this.#renewing = undefined;
    }
  }

  #urlOf(path: string): string {
    const { base } = this.#files;
    const page = typeof document === 'undefined' ? undefined : document.baseURI;
    const { site } = this.#snapshot.manifest;
    const root = this.#site === undefined ? site : String(this.#site);
    const from = base ?? page;
    if (URL.canParse(root, from)) {
      return new URL(`./${path}`, new URL(root, from)).href;
    }
    return `/${path}`;
  }
}

/** The model of the manifest is gone. */
function isMissingModel(error: unknown, model: SiteModel): boolean {
  return error instanceof AmbryError && error === model.error && error.code === 'Http';
}
