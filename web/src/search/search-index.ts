// A search index. The vectors of its passages are in a worker of their own; the passages are here. A model turns a
// query into a vector. The index file keeps all but the model. It keeps the model's vector of one fixed sentence, by
// which the right model is recognized when the file is loaded.
/// <reference lib="esnext.disposable" preserve="true" />

import { checkMethods } from '../base/call.ts';
import { AmbryError } from '../base/errors.ts';
import { callback, type Kind, list, number, options, text } from '../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../base/options.ts';
import type { Embedder } from '../model/embedding.ts';
import type { Channel } from '../rpc/channel.ts';
import { jobOptionNames } from '../runtime/option-names.ts';
import { checkDocs } from './base/check-docs.ts';
import { isSparse } from './base/probe.ts';
import type { IndexCalls, RowPart } from './base/protocol.ts';
import {
  type Answerer,
  type Doc,
  type IndexAnswer,
  type IndexAnswerOptions,
  type IndexingOptions,
  type IndexModel,
  type IndexOptions,
  type SaveIndexOptions,
  type SearchHit,
  type SearchOptions,
  searchDefaults,
  type VectorStorage,
} from './base/types.ts';
import { isUnknown, withoutUnknown } from './base/unknown-texts.ts';
import { checkIds, hitOf, type IndexHeader, type IndexState } from './index-state.ts';
import { searchOptionNames } from './search-options.ts';

const docsAtATime = 1024;

const keepNames: OptionNames<{ readonly path: string }> = { path: text };
export const indexingOptionNames: OptionNames<IndexingOptions> = {
  ...jobOptionNames,
  workers: number,
  keep: { words: 'a name or { path }', is: () => true, options: keepNames },
};
const which: Kind = { ...callback, words: 'a function, such as (doc) => doc.id === "a.md#1"' };

const answerer: Kind = {
  words: 'an opened model of the kind questionAnswering',
  is: (value) => typeof (value as Partial<Answerer> | null)?.answer === 'function',
};

const saveOptionNames: OptionNames<SaveIndexOptions> = { model: text, sparse: text };

/** A search index over passages. It searches by exact cosine similarity, and by words. With a model with late interaction
 *  it has a vector for each token and searches by MaxSim, which is exact, too; and with a sparse encoder by the exact dot
 *  product. */
export class SearchIndex {
  readonly #state: IndexState;

  /** @internal */
  constructor(
    channel: Channel<IndexCalls>,
    model: IndexModel,
    { docs, ...header }: IndexHeader,
    facts: Pick<IndexState, 'vectors' | 'computesAlike' | 'detected' | 'sparse' | 'savedWords'>,
  ) {
    let last: Promise<unknown> = Promise.resolve();
    const inTurn: IndexState['inTurn'] = (work) => {
      const done = last.then(work);
      last = done.catch(() => {});
      return done;
    };
    this.#state = { channel, model, header, docs, inTurn, ...facts };
  }

  /** The number of passages. */
  get size(): number {
    return this.docs.length;
  }

  /** The length of a vector. Of sparse vectors alone: the size of the vocabulary. */
  get dim(): number {
    return this.#state.header.model.dim;
  }

  /** The passages in the order in which they were added. */
  get docs(): readonly Doc[] {
    return this.#state.docs;
  }

  /** The text put before each passage, as given when the index was made. */
  get prompt(): string | undefined {
    return this.#state.header.prompt;
  }

  /** The languages of the passages, as given when the index was made. Undefined if they are detected. */
  get languages(): readonly string[] | undefined {
    return this.#state.header.languages;
  }

  /** Whether there are sparse vectors beside those of the model: the option `sparse`. */
  get hasSparse(): boolean {
    return this.#state.sparse !== undefined;
  }

  /** How the vectors are stored. */
  get vectors(): VectorStorage {
    return this.#state.vectors;
  }

  /** Whether the model computes the numbers that it computed when the index was made. It does not with other weights (int8
   *  beside f32), nor where another version of the package computed otherwise. Scores may be off by some thousandths then:
   *  make the index anew. */
  get computesAlike(): boolean {
    return this.#state.computesAlike;
  }

  /** Embeds and adds passages. After an abort or an error none are added. */
  async add(docs: readonly Doc[], options: IndexingOptions = {}): Promise<void> {
    await refuseUnknown(options, indexingOptionNames);
    await this.embedAndAdd(docs, options);
  }

  /** @internal */
  async embedAndAdd(docs: readonly Doc[], options: IndexingOptions): Promise<void> {
    checkDocs(docs);
    const state = this.#state;
    checkIds(state.docs, docs);
    const { prompt } = state.header;
    const parts = await embedParts(state, docs, {
      ...options,
      ...(prompt !== undefined && { prompt }),
    });
    await state.inTurn(async () => {
      const { channel, docs: before } = state;
      // Another call may have added passages meanwhile.
      checkIds(before, docs);
      let size = before.length;
      try {
        for (const part of parts) {
          const count = await channel.call('appendRows', part, { transfer: [part.rows.buffer] });
          size = Math.max(size, count);
        }
      } catch (error) {
        await channel.call('retainRows', { marks: new Uint8Array(size).fill(1, 0, before.length) });
        throw error;
      }
      state.docs = [...before, ...docs];
    });
  }

  /** Removes the passages for which the function returns true, and returns how many it removed. */
  async remove(which: (doc: Doc) => boolean): Promise<number> {
    const { remove } = await import('./index-changes.ts');
    return remove(this.#state, which);
  }

  /**
   * The passages nearest to the query, best first. With sparse vectors alone, passages without a word of the query are no hits.
   * A query of pieces that the model does not know, such as one in a script that its vocabulary lacks, has no meaning: without
   * `hybrid` it has no hits, and with it the cosines are 0. So is the cosine of a passage of such pieces.
   *
   * @example
   * const hits = await index.search('sleepless nights', { k: 5, filter: ({ source }) => source === 'a.md' });
   *
   * @example
   * const hits = await index.search('error 0x80070057', { hybrid: true });
   *
   * @example
   * const reranker = await open('/models/ms-marco-MiniLM-L-6-v2/', { kind: 'reranker' });
   * const hits = await index.search('sleepless nights', { hybrid: true, rerank: reranker, k: 5 });
   */
  async search(query: string, options: SearchOptions = {}): Promise<SearchHit[]> {
    const refusal = refuseUnknown(options, searchOptionNames);
    if (refusal) {
      return refusal;
    }
    if (options.sparse !== undefined && !this.hasSparse) {
      const message = 'The index was made without the option sparse.';
      throw new AmbryError('Unsupported', message, { path: 'options.sparse' });
    }
    if (options.rerank !== undefined || options.candidates !== undefined) {
      const { rerankedSearch } = await import('./reranked-search.ts');
      return rerankedSearch((...args) => this.#retrieve(...args), query, options);
    }
    return this.#retrieve(query, options);
  }

  /**
   * The query with words of the passages in the place of those that no passage has, for example to show "Did you mean …?".
   * Undefined if the passages have all words of the query, or none that is spelled nearly so. A search with `hybrid` finds these
   * words, too.
   *
   * @example
   * await index.didYouMean('hicups at night'); // 'hiccups at night'
   */
  async didYouMean(query: string): Promise<string | undefined> {
    const { didYouMean } = await import('./index-words.ts');
    return didYouMean(this.#state, query);
  }

  /**
   * The parts of the passages that answer a question, the best first: one of them, unless `k` says another number. The index is
   * searched for the question, and the model reads the best passages.
   *
   * Rejects with `BadValue` at `model` for a model that does not answer questions, at `question` for an empty question, and as
   * `search` and `answer` of the model do.
   *
   * @example
   * const reader = await open('/models/tinyroberta-squad2/', { kind: 'questionAnswering' });
   * const [best] = await index.answer(reader, 'Where do cats sleep?', { passages: 10, hybrid: true });
   * console.log(best?.text, best?.id, best?.passage);
   */
  async answer(
    model: Answerer,
    question: string,
    options: IndexAnswerOptions = {},
  ): Promise<IndexAnswer[]> {
    const { answerFrom } = await import('./answer-question.ts');
    return answerFrom((...args) => this.search(...args), model, question, options);
  }

  async #retrieve(query: string, options: SearchOptions): Promise<SearchHit[]> {
    const { k = searchDefaults.k, signal, hybrid, filter } = options;
    const { channel, model, sparse } = this.#state;
    if (this.size === 0) {
      return [];
    }
    const vectors = await queryVectors(model, query, options);
    if (!isSparse(model) && (await isUnknown(model, query))) {
      vectors.fill(0);
      if (!hybrid && !sparse) {
        return [];
      }
    }
    if (hybrid || filter || sparse) {
      const { rankedSearch } = await import('./ranked-search.ts');
      return rankedSearch(this.#state, query, vectors, options);
    }
    const hits = await channel.call('searchRows', { query: vectors, k }, { signal });
    const count = isSparse(model) ? 1 : vectors.length / this.dim;
    return hits.map((hit) => hitOf(this.docs, hit, count));
  }

  /** The vectors of all passages, one after another, in the order of `docs`, as they are stored. Of a model with late
   *  interaction each is the mean of the passage's vectors. Rejects with `Unsupported` where all vectors are sparse. */
  async passageVectors(): Promise<Float32Array<ArrayBuffer>> {
    const { passageVectors } = await import('./passage-vectors.ts');
    return passageVectors(this.#state);
  }

  /** Saves the whole index as a file. `model` says where the model is, for the program that loads the index, and `sparse` where
   *  the sparse encoder beside it is. */
  async save(options: SaveIndexOptions = {}): Promise<Blob> {
    await refuseUnknown(options, saveOptionNames);
    const { save } = await import('./index-changes.ts');
    return save(this.#state, options);
  }

  /** Ends the worker of the index. The model stays open. */
  dispose(): Promise<void> {
    return this.#state.channel.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }
}

checkMethods(SearchIndex, {
  add: { docs: list, options },
  remove: { which },
  search: { query: text, options },
  didYouMean: { query: text },
  answer: { model: answerer, question: text, options },
  passageVectors: {},
  save: { options },
});

async function queryVectors(
  model: IndexModel,
  query: string,
  options: SearchOptions,
): Promise<Float32Array> {
  const { prompt, signal } = options;
  if (isSparse(model)) {
    const { embedQuerySparse, refuseForSparse } = await import('./base/sparse-vectors.ts');
    refuseForSparse(options, true);
    return embedQuerySparse(model, query, signal);
  }
  if (model.lateInteraction) {
    return (await import('./base/token-vectors.ts')).embedQueryTokens(model, query, options);
  }
  return model.embed(query, {
    normalize: true,
    ...(prompt !== undefined && { prompt }),
    ...(signal && { signal }),
  });
}

async function embedParts(
  { model, sparse }: Pick<IndexState, 'model' | 'sparse'>,
  docs: readonly Doc[],
  options: IndexOptions,
): Promise<RowPart[]> {
  if (isSparse(model)) {
    const { embedDocsSparse, refuseForSparse } = await import('./base/sparse-vectors.ts');
    refuseForSparse(options, true);
    return embedDocsSparse(model, docs, options);
  }
  if (sparse) {
    const { embedBoth } = await import('./base/sparse-vectors.ts');
    return embedBoth(sparse, docs, options, (part) => embedParts({ model }, docs, part));
  }
  if (model.lateInteraction) {
    return (await import('./base/token-vectors.ts')).embedDocTokens(model, docs, options);
  }
  const isPlain = (options.workers ?? options.keep) === undefined;
  const embed = isPlain ? embedAll : (await import('./embed-docs.ts')).embedDocs;
  const parts = (await embed(model, docs, options)).map((rows) => ({ rows }));
  const texts = docs.map(({ text }) => text);
  await withoutUnknown(model, texts, parts);
  return parts;
}

async function embedAll(
  model: Embedder,
  docs: readonly Doc[],
  { signal, onProgress, prompt }: IndexOptions,
): Promise<Float32Array<ArrayBuffer>[]> {
  const parts: Float32Array<ArrayBuffer>[] = [];
  for (let at = 0; at < docs.length; at += docsAtATime) {
    const texts = docs.slice(at, at + docsAtATime).map((doc) => doc.text);
    const vectors = await model.embed(texts, {
      as: 'matrix',
      normalize: true,
      ...(prompt !== undefined && { prompt }),
      ...(signal && { signal }),
      onProgress: (part) => onProgress?.({ ...part, loaded: at + part.loaded, total: docs.length }),
    });
    parts.push(vectors);
  }
  return parts;
}
