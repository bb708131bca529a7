import { Embeddings, type EmbeddingsParams } from '@langchain/core/embeddings';
import type { EmbedOptions, Encoder, WordVectors } from 'ambry';
import { checkKind } from './check-kind.ts';

/** Pooling `none` gives no vector of a text, and the results of LangChain have one form. */
export type TextEmbedOptions = Omit<EmbedOptions, 'pooling' | 'as'> & {
  readonly pooling?: Exclude<NonNullable<EmbedOptions['pooling']>, 'none'>;
};

export interface AmbryEmbeddingsFields extends EmbeddingsParams {
  /** An open model. It stays its caller's. */
  readonly model: Encoder | WordVectors;
  /** Options for documents, such as `{ promptName: 'document' }`. */
  readonly documentOptions?: TextEmbedOptions;
  /** Options for queries, such as `{ promptName: 'query' }`. */
  readonly queryOptions?: TextEmbedOptions;
}

/**
 * Vectors of texts by a sentence encoder, or by word vectors.
 *
 * Rejects as `embed` of Ambry does, with an `AmbryError`.
 *
 * @example
 * const embeddings = new AmbryEmbeddings({ model, queryOptions: { promptName: 'query' } });
 * const store = await MemoryVectorStore.fromTexts(['Cats purr.', 'Dogs bark.'], [{}, {}], embeddings);
 */
export class AmbryEmbeddings extends Embeddings {
  readonly #model: Encoder | WordVectors;
  readonly #documentOptions: TextEmbedOptions;
  readonly #queryOptions: TextEmbedOptions;

  constructor(fields: AmbryEmbeddingsFields) {
    const { model, documentOptions = {}, queryOptions = {}, ...params } = fields ?? {};
    super(params);
    checkKind(model, ['encoder', 'words']);
    this.#model = model;
    this.#documentOptions = documentOptions;
    this.#queryOptions = queryOptions;
  }

  override async embedDocuments(texts: string[]): Promise<number[][]> {
    const vectors = await this.#model.embed(texts, { ...this.#documentOptions, as: 'vectors' });
    return vectors.map((vector) => [...vector]);
  }

  override async embedQuery(text: string): Promise<number[]> {
    return [...(await this.#model.embed(text, this.#queryOptions))];
  }
}
