// A sentence encoder on the caller's side.
import { checkMethods } from '../base/call.ts';
import { list, options, text, textOrTexts } from '../base/kinds.ts';
import type { EmbedTokensOptions, LateInteractionInfo } from '../late-interaction/types.ts';
import type {
  EmbedMatrixOptions,
  EmbedOptions,
  EmbedVectorsOptions,
} from '../model/embed-types.ts';
import type { EmbedCalls } from '../model/embedding.ts';
import { embedTexts, vectorsOf } from '../model/embedding.ts';
import type { FileInfo } from '../model/file-info.ts';
import type { ModelFacts } from '../model/model-facts.ts';
import type { OpenedModel } from '../model/protocol.ts';
import type { RankedDocument, RankOptions } from '../reranker/types.ts';
import type { Channel } from '../rpc/channel.ts';
import type { Connection } from '../runtime/connect.ts';
import { Tokenizer } from '../tokenizer/client.ts';
import type { AllOutputs, EmbedAllOptions, EmbedEveryOptions } from './all/types.ts';
import type { EncoderCalls } from './protocol.ts';
import type { ExplainOptions, Explanation } from './types.ts';

/**
 * A sentence encoder, or a language model that makes embeddings. It runs in a worker of its own.
 *
 * @example
 * const model = await open('/models/minilm.weights', { kind: 'encoder' });
 * const [cat, dog] = await model.embed(['a cat', 'a dog']);
 * console.log(cosine(cat, dog));
 */
export class Encoder extends Tokenizer implements ModelFacts {
  readonly kind = 'encoder';
  readonly info: FileInfo;
  /** The length of a text's vector. */
  readonly dim: number;
  /** The length of a token's vector (pooling `none`). It differs from `dim` if dense layers follow the pooling. */
  readonly tokenDim: number;
  readonly weightBytes: number;
  readonly flavour: string;
  /** How a model with late interaction (ColBERT) reads texts. Such a model makes a vector of each token. Undefined for other
   *  models. */
  readonly lateInteraction: LateInteractionInfo | undefined;
  /** Whether the model gives the vector of a text, the weights of its words and the vectors of its tokens in one pass, as BGE-M3
   *  does: `embedAll`. */
  readonly hasAllOutputs: boolean;
  /** @internal Such a model embeds in one worker. */
  readonly isLanguageModel: boolean;
  /** @internal Such a model embeds in one worker, which is fast enough. */
  readonly isStatic: boolean;
  /** @internal */
  declare readonly connection: Connection<EncoderCalls>;

  /** @internal */
  constructor(connection: Connection<EncoderCalls>, opened: OpenedModel) {
    super(connection, opened.info.tokenizer);
    this.info = opened.info;
    this.dim = Number(opened.info.config?.['embeddingDim'] ?? 0);
    this.tokenDim = Number(opened.info.config?.['hiddenSize'] ?? 0);
    this.lateInteraction = opened.info.config?.['lateInteraction'] as
      | LateInteractionInfo
      | undefined;
    this.hasAllOutputs = opened.info.config?.['allOutputs'] === true;
    this.isLanguageModel = 'generator' in opened.info;
    this.isStatic = opened.info.config?.['architecture'] === 'static';
    this.weightBytes = opened.weightBytes;
    this.flavour = opened.flavour;
  }

  /**
   * The vector of a text: a `Float32Array` of `dim` values. A list of texts gives an array with one for each text, each
   * with a buffer of its own. With `as: 'matrix'` the result is one `Float32Array` with all rows: the values of text `i`
   * begin at `i * dim`. With pooling `none` each text has `tokens × tokenDim` values, and `as: 'matrix'` is refused.
   *
   * Rejects with `BadValue` for an unknown option, with `LimitExceeded` for a text that is too long under
   * `truncate: 'error'`, with `Unsupported` for a model with late interaction, and with an `AbortError` when the signal
   * is aborted.
   *
   * @example
   * const cat = await model.embed('a cat');
   * const [dog, bird] = await model.embed(['a dog', 'a bird']);
   *
   * @example
   * const rows = await model.embed(['a cat', 'a dog'], { as: 'matrix' });
   * const index = await createVectorIndex({ vectors: rows, dim: model.dim });
   */
  embed(
    texts: string | readonly string[],
    options: EmbedMatrixOptions,
  ): Promise<Float32Array<ArrayBuffer>>;
  embed(text: string, options?: EmbedOptions): Promise<Float32Array<ArrayBuffer>>;
  embed(
    texts: readonly string[],
    options?: EmbedVectorsOptions,
  ): Promise<Float32Array<ArrayBuffer>[]>;
  embed(
    texts: string | readonly string[],
    options?: EmbedOptions,
  ): Promise<Float32Array<ArrayBuffer> | Float32Array<ArrayBuffer>[]>;
  async embed(
    texts: string | readonly string[],
    options: EmbedOptions = {},
  ): Promise<Float32Array<ArrayBuffer> | Float32Array<ArrayBuffer>[]> {
    return embedTexts(texts, options, async (input, call, workers) =>
      workers === 1 || this.isLanguageModel || this.isStatic
        ? (this.connection.channel as Channel<EmbedCalls>).call('embed', input, call)
        : (await import('./pool/embed-pool.ts')).embedTogether(this, input, call, workers),
    );
  }

  /**
   * The vector of a text, the weights of its words and the vectors of its tokens, from one pass through a model that gives all
   * three (`hasAllOutputs`): BGE-M3. A list of texts gives an array with one result for each text, and each array has a buffer of
   * its own. `dense: false`, `sparse: false` and `tokens: false` leave an output out. The numbers are those of `embed`, of
   * `embedSparse` of the model opened as a sparse encoder, and of `embedTokens`.
   *
   * Rejects with `Unsupported` for other models, and else as `embed` does.
   *
   * @example
   * const { dense, sparse, tokens } = await model.embedAll('Cats purr.', { k: 32 });
   * console.log(dense.length, sparse.ids.length, tokens.length / model.dim);
   */
  embedAll(text: string, options?: EmbedEveryOptions): Promise<AllOutputs>;
  embedAll(texts: readonly string[], options?: EmbedEveryOptions): Promise<AllOutputs[]>;
  embedAll(text: string, options?: EmbedAllOptions): Promise<Partial<AllOutputs>>;
  embedAll(texts: readonly string[], options?: EmbedAllOptions): Promise<Partial<AllOutputs>[]>;
  async embedAll(
    given: string | readonly string[],
    options: EmbedAllOptions = {},
  ): Promise<Partial<AllOutputs> | Partial<AllOutputs>[]> {
    const { allOutputs } = await import('./all/client.ts');
    const isOne = typeof given === 'string';
    const outputs = await allOutputs(this, isOne ? [given] : given, options);
    return isOne ? (outputs[0] as Partial<AllOutputs>) : outputs;
  }

  /**
   * The vectors of a text's tokens, of a model with late interaction or with all outputs: a `Float32Array` with rows of `dim` values, each of
   * length 1. A list of texts gives an array with one for each text, each with a buffer of its own. Queries and documents are read in different ways (`as`).
   *
   * Rejects with `Unsupported` for other models, and else as `embed` does.
   *
   * @example
   * const [asked] = await model.embedTokens(['how do cats sleep?'], { as: 'query' });
   */
  embedTokens(text: string, options?: EmbedTokensOptions): Promise<Float32Array<ArrayBuffer>>;
  embedTokens(
    texts: readonly string[],
    options?: EmbedTokensOptions,
  ): Promise<Float32Array<ArrayBuffer>[]>;
  embedTokens(
    texts: string | readonly string[],
    options?: EmbedTokensOptions,
  ): Promise<Float32Array<ArrayBuffer> | Float32Array<ArrayBuffer>[]>;
  async embedTokens(
    given: string | readonly string[],
    options: EmbedTokensOptions = {},
  ): Promise<Float32Array<ArrayBuffer> | Float32Array<ArrayBuffer>[]> {
    const { tokenVectors } = await import('../late-interaction/client.ts');
    const isOne = typeof given === 'string';
    const embedded = await tokenVectors(this, isOne ? [given] : given, options);
    return isOne ? embedded.vectors : vectorsOf(embedded);
  }

  /**
   * Sorts documents by how well they match a query, the best first, with a model with late interaction. The score is
   * MaxSim: for each of the query's vectors the largest product with one of the document's, summed. Documents with equal
   * scores keep their order.
   *
   * Rejects with `Unsupported` for other models, and else as `rank` of a `Reranker` does.
   *
   * @example
   * const [best] = await model.rank('how do cats sleep?', passages, { k: 5, returnDocuments: true });
   */
  async rank(
    query: string,
    documents: readonly string[],
    options: RankOptions = {},
  ): Promise<RankedDocument[]> {
    const { rankByTokens } = await import('../late-interaction/client.ts');
    return rankByTokens(this, query, documents, options);
  }

  /**
   * What each word piece of a text adds to its cosine with a query. The scores of the pieces add up to the cosine,
   * exactly for models that pool by mean or maximum.
   *
   * Rejects with `Unsupported` for models that take the vector of one token as that of the whole text, for models
   * with dense layers after the pooling, and for language models.
   *
   * @example
   * const { score, pieces } = await model.explain('feline sounds', 'Cats purr.');
   * const [most] = pieces.toSorted((a, b) => b.score - a.score);
   */
  async explain(query: string, text: string, options: ExplainOptions = {}): Promise<Explanation> {
    return (await import('./explain.ts')).explain(this, query, text, options);
  }
}

checkMethods(Encoder, {
  embed: { texts: textOrTexts, options },
  embedAll: { texts: textOrTexts, options },
  embedTokens: { texts: textOrTexts, options },
  rank: { query: text, documents: list, options },
  explain: { query: text, text, options },
});
