// A search index: vectors of passages in a worker of their own, the passages here, and the model that
// turns a query into a vector. The file keeps all but the model; that it is the right one is known by
// the vector it gives for one fixed sentence, which must be what it was.
/// <reference lib="esnext.disposable" preserve="true" />
import { AmbryError } from '../errors.ts';
import type { Model } from '../model/model.ts';
import type { Channel } from '../rpc/channel.ts';
import type { Calls } from '../rpc/protocol.ts';
import type { JobOptions } from '../rpc/types.ts';
import type {
  Doc,
  IndexedModel,
  IndexingOptions,
  IndexOptions,
  SearchHit,
  SearchOptions,
  VectorStorage,
} from './types.ts';

/** What the index file keeps as JSON beside the vectors. */
export interface IndexHeader {
  readonly version: 1;
  readonly model: IndexedModel & { readonly probe: readonly number[] };
  readonly prompt?: string;
  readonly docs: readonly Doc[];
}

/** What an index is made of, for the parts of it that are loaded when they are wanted. */
export interface IndexState {
  readonly channel: Channel<Calls>;
  readonly model: Model;
  readonly header: Omit<IndexHeader, 'docs'>;
  readonly vectors: VectorStorage;
  /** One for each row of the worker's; both change in turn. */
  docs: readonly Doc[];
  /** Runs after all that was given before it, so that rows and passages stay together. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

const kProbe = 'Twelve grey geese crossed the frozen river before the first train left at 6:45.';
const kDocsAtATime = 1024;

/** A search index over passages, by exact cosine similarity, and by words. */
export class SearchIndex {
  readonly #state: IndexState;

  /** @internal */
  constructor(
    channel: Channel<Calls>,
    model: Model,
    { docs, ...header }: IndexHeader,
    vectors: VectorStorage,
  ) {
    let last: Promise<unknown> = Promise.resolve();
    const inTurn: IndexState['inTurn'] = (work) => {
      const done = last.then(work);
      last = done.catch(() => {});
      return done;
    };
    this.#state = { channel, model, header, vectors, docs, inTurn };
  }

  /** Number of passages. */
  get size(): number {
    return this.docs.length;
  }

  /** Numbers in a vector. */
  get dim(): number {
    return this.#state.header.model.dim;
  }

  /** The passages in the order they were added. */
  get docs(): readonly Doc[] {
    return this.#state.docs;
  }

  /** What was put before each passage, as given when the index was made. */
  get prompt(): string | undefined {
    return this.#state.header.prompt;
  }

  /** How the vectors are kept. */
  get vectors(): VectorStorage {
    return this.#state.vectors;
  }

  /** Embeds and adds passages: all of them, or after an abort or an error none. */
  async add(docs: readonly Doc[], options: IndexingOptions = {}): Promise<void> {
    checkDocs(docs);
    const state = this.#state;
    const { prompt } = state.header;
    const isPlain = (options.workers ?? options.keep) === undefined;
    const embed = isPlain ? embedAll : (await import('./embed-docs.ts')).embedDocs;
    const rows = await embed(state.model, docs, {
      ...options,
      ...(prompt !== undefined && { prompt }),
    });
    await state.inTurn(async () => {
      const { channel, docs: before } = state;
      let size = before.length;
      try {
        for (const part of rows) {
          size = await channel.call('appendRows', { rows: part }, { transfer: [part.buffer] });
        }
      } catch (error) {
        await channel.call('retainRows', { marks: new Uint8Array(size).fill(1, 0, before.length) });
        throw error;
      }
      state.docs = [...before, ...docs];
    });
  }

  /** Removes the passages for which this holds, and says how many they were. */
  async remove(which: (doc: Doc) => boolean): Promise<number> {
    const { remove } = await import('./index-changes.ts');
    return remove(this.#state, which);
  }

  /**
   * The passages nearest to the query, best first.
   *
   * @example
   * const hits = await index.search('sleepless nights', { k: 5, filter: ({ source }) => source === 'a.md' });
   *
   * @example
   * const hits = await index.search('error 0x80070057', { hybrid: true });
   */
  async search(query: string, options: SearchOptions = {}): Promise<SearchHit[]> {
    const { k = 10, prompt, signal, hybrid, filter } = options;
    const { channel, model } = this.#state;
    if (this.size === 0) return [];
    const vector = await model.embed(query, {
      normalize: true,
      ...(prompt !== undefined && { prompt }),
      ...(signal && { signal }),
    });
    if (hybrid || filter) {
      const { rankedSearch } = await import('./ranked-search.ts');
      return rankedSearch(this.#state, query, vector, options);
    }
    const hits = await channel.call('searchRows', { query: vector, k }, { signal });
    return hits.map(({ row, score }) => hitOf(this.docs, row, score));
  }

  /** The whole index as a file. `model` says where the model is, for whoever loads it. */
  async save(options: { readonly model?: string } = {}): Promise<Blob> {
    const { save } = await import('./index-changes.ts');
    return save(this.#state, options.model);
  }

  /** Ends the index's worker; the model stays open. */
  dispose(): Promise<void> {
    return this.#state.channel.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }
}

export function hitOf(docs: readonly Doc[], row: number, cosine: number): SearchHit {
  const doc = docs[row] as Doc;
  return { id: doc.id ?? row, score: cosine, cosine, text: doc.text, doc };
}

/** The header of an empty index for this model. */
export async function newHeader(model: Model, options: IndexOptions): Promise<IndexHeader> {
  const { signal, prompt } = options;
  const vector = await probe(model, signal);
  const { format } = model.info;
  const rounded = Array.from(vector, (x) => Number(x.toFixed(5)));
  return {
    version: 1,
    model: { reference: null, format, dim: vector.length, probe: rounded },
    ...(prompt !== undefined && { prompt }),
    docs: [],
  };
}

export function probe(model: Model, signal: AbortSignal | undefined): Promise<Float32Array> {
  return model.embed(kProbe, { normalize: true, prompt: '', ...(signal && { signal }) });
}

async function embedAll(
  model: Model,
  docs: readonly Doc[],
  { signal, onProgress, prompt }: JobOptions & { readonly prompt?: string },
): Promise<Float32Array<ArrayBuffer>[]> {
  const parts: Float32Array<ArrayBuffer>[] = [];
  for (let at = 0; at < docs.length; at += kDocsAtATime) {
    const texts = docs.slice(at, at + kDocsAtATime).map((doc) => doc.text);
    const vectors = await model.embed(texts, {
      normalize: true,
      ...(prompt !== undefined && { prompt }),
      ...(signal && { signal }),
      onProgress: (part) => onProgress?.({ ...part, loaded: at + part.loaded, total: docs.length }),
    });
    parts.push(vectors as Float32Array<ArrayBuffer>);
  }
  return parts;
}

export function checkDocs(docs: readonly Doc[]): void {
  docs.forEach((doc, i) => {
    if (typeof doc?.text === 'string') return;
    throw new AmbryError('BadValue', 'A passage must be an object with a text.', {
      path: `docs[${i}].text`,
    });
  });
}
