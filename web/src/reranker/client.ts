// A reranker, on the caller's side.
import { checkMethods } from '../base/call.ts';
import { list, options, text } from '../base/kinds.ts';
import { refuseUnknown } from '../base/options.ts';
import { checkCount, checkInputs } from '../classification-head/check-inputs.ts';
import type { TextPair } from '../classification-head/types.ts';
import type { FileInfo } from '../model/file-info.ts';
import type { ModelFacts } from '../model/model-facts.ts';
import type { OpenedModel } from '../model/protocol.ts';
import type { Connection } from '../runtime/connect.ts';
import { Tokenizer } from '../tokenizer/client.ts';
import type { TokenCalls } from '../tokenizer/protocol.ts';
import { pairsOf, rankOptionNames, relevanceOptionNames } from './check-documents.ts';
import { rankedDocuments } from './order.ts';
import type { Scorer } from './scorer.ts';
import type { RankedDocument, RankOptions, RelevanceOptions } from './types.ts';

/**
 * A reranker (a cross-encoder): an encoder with a classification head of one label, or a language model such as Qwen3-Reranker.
 * It reads a query and a document together and says how well they match. It runs in a worker of its own. An encoder with a
 * head of several labels is a `TextClassifier`.
 *
 * @example
 * const model = await open('/models/ms-marco-MiniLM-L-6-v2/', { kind: 'reranker' });
 * const [best] = await model.rank('how do cats sleep?', passages, { k: 5, returnDocuments: true });
 */
export class Reranker extends Tokenizer implements ModelFacts {
  readonly kind = 'reranker';
  readonly info: FileInfo;
  readonly weightBytes: number;
  readonly flavour: string;
  readonly #scorer: Scorer;

  /** @internal */
  constructor(connection: Connection<TokenCalls>, opened: OpenedModel, scorer: Scorer) {
    super(connection, opened.info.tokenizer);
    this.info = opened.info;
    this.#scorer = scorer;
    this.weightBytes = opened.weightBytes;
    this.flavour = opened.flavour;
  }

  /**
   * Sorts documents by how well they match a query, the best first. Documents with equal scores keep their order.
   *
   * Scores are those of `CrossEncoder` in sentence-transformers: the logit, or its sigmoid, as the model states. Those of a
   * language model without such a statement are what the authors' own code gives.
   *
   * Rejects with `BadValue` for what is no text and for options out of range, with `LimitExceeded` for a document that is
   * too long under `truncate: 'error'`, with `Unsupported` at `options.instruction` or `options.layer` for a model that takes
   * none, and with an `AbortError`.
   *
   * @example
   * for (const { index, score } of await model.rank(query, documents)) console.log(score, documents[index]);
   *
   * @example
   * const instruction = 'Find passages that a beginner understands.';
   * const ranked = await qwen.rank(query, documents, { instruction });
   */
  async rank(
    query: string,
    documents: readonly string[],
    options: RankOptions = {},
  ): Promise<RankedDocument[]> {
    const refusal = refuseUnknown(options, rankOptionNames);
    if (refusal) {
      return refusal;
    }
    checkCount(options.k);
    const pairs = pairsOf(query, documents);
    const logits = await this.#scorer.logits(pairs, options, 'documents');
    return rankedDocuments(logits, documents, options, this.#scorer.scoreOf);
  }

  /**
   * The scores of texts or of pairs of texts, as `predict` of `CrossEncoder` gives them. A language model takes pairs.
   *
   * @example
   * const [score] = await model.score([['how do cats sleep?', 'Cats sleep in short naps.']]);
   */
  async score(
    inputs: readonly (string | TextPair)[],
    options: RelevanceOptions = {},
  ): Promise<Float32Array> {
    const logits = await this.logits(inputs, options);
    return logits.map(this.#scorer.scoreOf);
  }

  /** The numbers that the model gives for texts or pairs of texts, before they become scores. */
  async logits(
    inputs: readonly (string | TextPair)[],
    options: RelevanceOptions = {},
  ): Promise<Float32Array> {
    return (
      refuseUnknown(options, relevanceOptionNames) ??
      this.#scorer.logits(checkInputs(inputs), options, 'texts')
    );
  }
}

checkMethods(Reranker, {
  rank: { query: text, documents: list, options },
  score: { texts: list, options },
  logits: { texts: list, options },
});
