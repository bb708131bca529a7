// A reranker, or an encoder that classifies texts, on the caller's side.
import { checkMethods } from '../base/call.ts';
import { AmbryError } from '../base/errors.ts';
import { list, options, text, textOrTexts } from '../base/kinds.ts';
import { refuseUnknown } from '../base/options.ts';
import type { FileInfo } from '../model/file-info.ts';
import type { OpenedModel } from '../model/protocol.ts';
import type { ModelFacts } from '../model/types.ts';
import type { Connection } from '../runtime/connect.ts';
import { Tokenizer } from '../tokenizer/client.ts';
import {
  bad,
  checkCount,
  checkInputs,
  classifyOptionNames,
  pairsOf,
  rankOptionNames,
  scoreOptionNames,
} from './check-inputs.ts';
import { bestFirst, rankedDocuments } from './order.ts';
import { activations, isMultiLabel, probabilities } from './probabilities.ts';
import type { RerankerCalls, ScoreInput } from './protocol.ts';
import {
  type ClassifyTextOptions,
  classifyTextDefaults,
  type HeadInfo,
  type LabelPrediction,
  type RankedDocument,
  type RankOptions,
  type ScoreOptions,
  type TextPair,
} from './types.ts';

/**
 * An encoder with a classification head. With one label it is a reranker (a cross-encoder): it reads a query and a
 * document together and says how well they match. With several labels it classifies texts or pairs of texts: sentiment,
 * topics, whether one sentence follows from another. It runs in a worker of its own.
 *
 * @example
 * const model = await open('/models/ms-marco-MiniLM-L-6-v2/', { kind: 'reranker' });
 * const [best] = await model.rank('how do cats sleep?', passages, { k: 5, returnDocuments: true });
 */
export class Reranker extends Tokenizer implements ModelFacts {
  readonly kind = 'reranker';
  readonly info: FileInfo;
  /** The labels of the head, in the order of its logits. */
  readonly labels: readonly string[];
  readonly weightBytes: number;
  readonly flavour: string;
  readonly #head: HeadInfo;
  /** @internal */
  declare readonly connection: Connection<RerankerCalls>;

  /** @internal */
  constructor(connection: Connection<RerankerCalls>, opened: OpenedModel) {
    super(connection, opened.info.tokenizer);
    this.info = opened.info;
    this.#head = opened.info.config?.['classificationHead'] as HeadInfo;
    this.labels = this.#head.labels;
    this.weightBytes = opened.weightBytes;
    this.flavour = opened.flavour;
  }

  /**
   * Sorts documents by how well they match a query, the best first. Documents with equal scores keep their order.
   *
   * Scores are those of `CrossEncoder` in sentence-transformers: the logit, or its sigmoid, as the model states.
   *
   * Rejects with `Unsupported` for a model with several labels, with `BadValue` for what is no text and for options out
   * of range, with `LimitExceeded` for a document that is too long under `truncate: 'error'`, and with an `AbortError`.
   *
   * @example
   * for (const { index, score } of await model.rank(query, documents)) console.log(score, documents[index]);
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
    this.#needOneLabel();
    checkCount(options.k);
    const pairs = pairsOf(query, documents);
    const logits = await this.#run(pairs, options, 'documents');
    return rankedDocuments(logits, documents, options, activations[this.#head.scoreActivation]);
  }

  /**
   * The scores of texts or of pairs of texts, as `predict` of `CrossEncoder` gives them. For a model with several labels
   * a row of `labels.length` scores for each of them, one row after another.
   *
   * @example
   * const [score] = await model.score([['how do cats sleep?', 'Cats sleep in short naps.']]);
   */
  async score(
    inputs: readonly (string | TextPair)[],
    options: ScoreOptions = {},
  ): Promise<Float32Array> {
    const logits = await this.logits(inputs, options);
    return logits.map(activations[this.#head.scoreActivation]);
  }

  /** The numbers that the model gives for texts or pairs of texts: a row of one for each label, one row after another. */
  async logits(
    inputs: readonly (string | TextPair)[],
    options: ScoreOptions = {},
  ): Promise<Float32Array> {
    return (
      refuseUnknown(options, scoreOptionNames) ?? this.#run(checkInputs(inputs), options, 'texts')
    );
  }

  /**
   * The labels of a text with their probabilities, the most probable first. A list of texts, or of pairs of texts, gives
   * a list for each of them. Probabilities are those of Transformers' pipelines.
   *
   * Rejects with `Unsupported` for a model whose outputs are no probabilities (`regression`), and for `candidates` with
   * a model that has no label for entailment.
   *
   * @example
   * const [best] = await model.classifyText('What a lovely day!');
   *
   * @example
   * const [best] = await nli.classifyText('The match ended 3 to 1.', { candidates: ['sports', 'cooking'] });
   */
  classifyText(text: string, options?: ClassifyTextOptions): Promise<LabelPrediction[]>;
  classifyText(
    texts: readonly (string | TextPair)[],
    options?: ClassifyTextOptions,
  ): Promise<LabelPrediction[][]>;
  async classifyText(
    given: string | readonly (string | TextPair)[],
    options: ClassifyTextOptions = {},
  ): Promise<LabelPrediction[] | LabelPrediction[][]> {
    const refusal = refuseUnknown(options, classifyOptionNames);
    if (refusal) {
      return refusal;
    }
    checkCount(options.k);
    const inputs = checkInputs(typeof given === 'string' ? [given] : given);
    const each = options.candidates
      ? await this.#classifyInto(options.candidates, inputs, options)
      : await this.#classify(inputs, options);
    return typeof given === 'string' ? (each[0] ?? []) : each;
  }

  async #classify(
    inputs: readonly (string | TextPair)[],
    options: ClassifyTextOptions,
  ): Promise<LabelPrediction[][]> {
    const { multiLabel = isMultiLabel(this.#head), k, hypothesis } = options;
    if (hypothesis !== undefined) {
      throw bad('This option needs candidates.', 'options.hypothesis');
    }
    if (this.#head.problemType === 'regression' && options.multiLabel === undefined) {
      const message =
        'The model gives numbers and no probabilities (problem_type regression); score() returns them.';
      throw new AmbryError('Unsupported', message, { path: 'model' });
    }
    const rows = this.#rows(await this.#run(inputs, options, 'texts'));
    return rows.map((row) => predictions(this.labels, row, probabilities(row, multiLabel), k));
  }

  async #classifyInto(
    candidates: readonly string[],
    texts: readonly (string | TextPair)[],
    options: ClassifyTextOptions,
  ): Promise<LabelPrediction[][]> {
    const { hypothesis = classifyTextDefaults.hypothesis, multiLabel = false, k } = options;
    const { zeroShot } = await import('./zero-shot.ts');
    const { pairs, judge } = zeroShot(this.labels, texts, candidates, hypothesis, multiLabel);
    const rows = this.#rows(await this.#run(pairs, options, 'pairs'));
    return texts.map((_, i) => {
      const judged = judge(rows.slice(i * candidates.length, (i + 1) * candidates.length));
      return predictions(candidates, judged.logits, judged.probabilities, k);
    });
  }

  #run(
    inputs: ScoreInput['inputs'],
    { truncate, signal, onProgress }: ScoreOptions,
    list: ScoreInput['settings']['list'],
  ): Promise<Float32Array> {
    const settings = { list, ...(truncate !== undefined && { truncate }) };
    return this.connection.channel.call('score', { inputs, settings }, { signal, onProgress });
  }

  #rows(logits: Float32Array): number[][] {
    const width = this.labels.length;
    return Array.from({ length: logits.length / width }, (_, i) =>
      Array.from(logits.subarray(i * width, (i + 1) * width)),
    );
  }

  #needOneLabel(): void {
    if (this.labels.length === 1) {
      return;
    }
    const message = `The model has ${this.labels.length} labels (${this.labels.join(', ')}) and no single score, so it cannot rank; classifyText() gives the labels.`;
    throw new AmbryError('Unsupported', message, { path: 'model' });
  }
}

checkMethods(Reranker, {
  rank: { query: text, documents: list, options },
  score: { texts: list, options },
  logits: { texts: list, options },
  classifyText: { texts: textOrTexts, options },
});

function predictions(
  labels: readonly string[],
  logits: readonly number[],
  probabilities: readonly number[],
  k: number | undefined,
): LabelPrediction[] {
  return bestFirst(probabilities, logits)
    .slice(0, k)
    .map((i) => ({
      label: labels[i] as string,
      probability: probabilities[i] as number,
      logit: logits[i] as number,
    }));
}
