// A search index: vectors of passages in a worker of their own, the passages here, and the model that
// turns a query into a vector. The file keeps all but the model; that it is the right one is known by
// the vector it gives for one fixed sentence, which must be what it was.
/// <reference lib="esnext.disposable" preserve="true" />
import { AmbryError } from '../errors.ts';
import type { Channel } from '../rpc/channel.ts';
import type { Calls } from '../rpc/protocol.ts';
import type {
  Doc,
  IndexedModel,
  IndexingOptions,
  IndexOptions,
  JobOptions,
  SearchHit,
  SearchOptions,
} from '../types.ts';
import type { Model } from './model.ts';

/** What the index file keeps as JSON beside the vectors. */
export interface IndexHeader {
  readonly version: 1;
  readonly model: IndexedModel & { readonly probe: readonly number[] };
  readonly prompt?: string;
  readonly docs: readonly Doc[];
}

const kProbe = 'Twelve grey geese crossed the frozen river before the first train left at 6:45.';
const kDocsAtATime = 1024;

/** A search index over passages, by exact cosine similarity. */
export class SearchIndex {
  readonly #channel: Channel<Calls>;
  readonly #model: Model;
  readonly #header: Omit<IndexHeader, 'docs'>;
  readonly #docs: Doc[];

  /** @internal */
  constructor(channel: Channel<Calls>, model: Model, header: IndexHeader) {
    this.#channel = channel;
    this.#model = model;
    const { docs, ...rest } = header;
    this.#header = rest;
    this.#docs = [...docs];
  }

  /** Number of passages. */
  get size(): number {
    return this.#docs.length;
  }

  /** Numbers in a vector. */
  get dim(): number {
    return this.#header.model.dim;
  }

  /** The passages in the order they were added. */
  get docs(): readonly Doc[] {
    return this.#docs;
  }

  /** Embeds and adds passages: all of them, or after an abort or an error none. */
  async add(docs: readonly Doc[], options: IndexingOptions = {}): Promise<void> {
    checkDocs(docs);
    const { prompt } = this.#header;
    const isPlain = (options.workers ?? options.keep) === undefined;
    const embed = isPlain ? embedAll : (await import('./embed-docs.ts')).embedDocs;
    const rows = await embed(this.#model, docs, {
      ...options,
      ...(prompt !== undefined && { prompt }),
    });
    for (const part of rows) {
      await this.#channel.call('appendRows', { rows: part }, { transfer: [part.buffer] });
    }
    for (const doc of docs) this.#docs.push(doc);
  }

  /** The passages nearest to the query, best first. */
  async search(query: string, options: SearchOptions = {}): Promise<SearchHit[]> {
    const { k = 10, prompt, signal } = options;
    if (this.size === 0) return [];
    const vector = await this.#model.embed(query, {
      normalize: true,
      ...(prompt !== undefined && { prompt }),
      ...(signal && { signal }),
    });
    const hits = await this.#channel.call('searchRows', { query: vector, k }, { signal });
    return hits.map(({ row, score }) => {
      const doc = this.#docs[row] as Doc;
      return { id: doc.id ?? row, score, text: doc.text, doc };
    });
  }

  /** The whole index as a file. `model` says where the model is, for whoever loads it. */
  save(options: { readonly model?: string } = {}): Promise<Blob> {
    const { model, ...rest } = this.#header;
    const reference = options.model ?? model.reference;
    const header: IndexHeader = { ...rest, model: { ...model, reference }, docs: this.#docs };
    return this.#channel.call('writeIndex', { header: JSON.stringify(header) });
  }

  /** Ends the index's worker; the model stays open. */
  dispose(): Promise<void> {
    return this.#channel.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }
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
