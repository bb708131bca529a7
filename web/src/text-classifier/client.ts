// A text classifier, on the caller's side.
import { checkMethods } from '../base/call.ts';
import { flag, list, number, options, text, textOrTexts, texts } from '../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../base/options.ts';
import {
  bad,
  checkCount,
  checkInputs,
  scoreOptionNames,
} from '../classification-head/check-inputs.ts';
import { headOf } from '../classification-head/head.ts';
import type { HeadCalls } from '../classification-head/protocol.ts';
import type { ScoreOptions, TextPair } from '../classification-head/types.ts';
import type { LabelScore } from '../model/classify-types.ts';
import type { FileInfo } from '../model/file-info.ts';
import type { ModelFacts } from '../model/model-facts.ts';
import type { OpenedModel } from '../model/protocol.ts';
import type { Connection } from '../runtime/connect.ts';
import { Tokenizer } from '../tokenizer/client.ts';
import { headLabeller } from './encoder-head.ts';
import { fastTextLabeller } from './fasttext.ts';
import type { Labeller } from './labeller.ts';
import type { FastTextCalls } from './protocol.ts';
import type { ClassifyTextOptions, TextClassifierInfo } from './types.ts';

const classifyOptionNames: OptionNames<ClassifyTextOptions> = {
  ...scoreOptionNames,
  k: number,
  threshold: number,
  multiLabel: flag,
  candidates: texts,
  hypothesis: text,
};

type Info = FileInfo & {
  /** Facts of a model of fastText; absent for encoders. */
  readonly textClassifier?: TextClassifierInfo;
};

/**
 * A model that gives labels to texts: languages, topics, sentiments, whether one sentence follows from another. It is a
 * supervised model of fastText, or an encoder with a classification head of several labels, and runs in a worker of its own; or
 * it was trained on examples (`createClassifier`), and runs with its encoder.
 *
 * A model of fastText has no tokenizer, so that `tokenize`, `tokenCounts` and `detokenize` reject with `Unsupported`.
 *
 * @example
 * const model = await open('lid.176.ftz', { kind: 'textClassifier' });
 * const [best] = await model.classify('Wie spät ist es?');
 * console.log(best?.label, best?.score); // __label__de 0.99
 */
export class TextClassifier extends Tokenizer implements ModelFacts {
  readonly kind = 'textClassifier';
  readonly info: Info;
  /** The labels of the model, in the order of their indices. */
  readonly labels: readonly string[];
  readonly weightBytes: number;
  readonly flavour: string;
  readonly #labeller: Labeller;

  /** @internal */
  constructor(
    connection: Connection<FastTextCalls & HeadCalls>,
    opened: OpenedModel,
    labeller?: Labeller,
  ) {
    super(connection, opened.info.tokenizer);
    this.info = opened.info as Info;
    this.#labeller = labeller ?? labellerOf(this.info, connection);
    this.labels = this.#labeller.labels;
    this.weightBytes = opened.weightBytes;
    this.flavour = opened.flavour;
  }

  /**
   * The best labels of a text with their scores, the best first: 5 of them unless `k` says another number. A list of
   * texts, or of pairs of texts, gives a list for each of them.
   *
   * Scores are probabilities: for encoders those of Transformers' pipelines, for fastText as it states them. It adds 0.00001,
   * with hierarchical softmax at each node of the tree, so that one can be a little more than 1; hierarchical softmax leaves
   * labels of less than 0.00001 out. Of texts for fastText, a line feed is white space, and the text ends at a word `</s>`. A
   * text of which fastText knows nothing has no labels.
   *
   * Rejects with `BadValue` for what is no text and for options out of range, with `LimitExceeded` for a text that is too long
   * under `truncate: 'error'`, and with an `AbortError`. Rejects with `Unsupported` at `options…` for an option that the
   * model cannot honour: `candidates` without a label for entailment, those of encoders with a model of fastText; and at
   * `model` for a head whose outputs are no probabilities (`regression`).
   *
   * @example
   * const [german, french] = await model.classify(['Guten Tag', 'Bonjour'], { k: 3, threshold: 0.1 });
   *
   * @example
   * const [best] = await nli.classify('The match ended 3 to 1.', { candidates: ['sports', 'cooking'] });
   */
  classify(text: string, options?: ClassifyTextOptions): Promise<LabelScore[]>;
  classify(
    texts: readonly (string | TextPair)[],
    options?: ClassifyTextOptions,
  ): Promise<LabelScore[][]>;
  async classify(
    given: string | readonly (string | TextPair)[],
    options: ClassifyTextOptions = {},
  ): Promise<LabelScore[] | LabelScore[][]> {
    const refusal = refuseUnknown(options, classifyOptionNames);
    if (refusal) {
      return refusal;
    }
    checkCount(options.k);
    checkThreshold(options.threshold);
    const inputs = checkInputs(typeof given === 'string' ? [given] : given);
    const each = await this.#labeller.classify(inputs, options);
    return typeof given === 'string' ? (each[0] ?? []) : each;
  }

  /**
   * The numbers that the head of an encoder gives for texts or pairs of texts: a row of one for each of `labels`, one row
   * after another.
   *
   * Rejects with `Unsupported` for a model of fastText, which has probabilities only.
   */
  async logits(
    inputs: readonly (string | TextPair)[],
    options: ScoreOptions = {},
  ): Promise<Float32Array> {
    return (
      refuseUnknown(options, scoreOptionNames) ??
      this.#labeller.logits(checkInputs(inputs), options)
    );
  }
}

function labellerOf(info: Info, connection: Connection<FastTextCalls & HeadCalls>): Labeller {
  const head = headOf(info);
  return head
    ? headLabeller(head, connection)
    : fastTextLabeller(info.textClassifier?.labels ?? [], connection);
}

checkMethods(TextClassifier, {
  classify: { texts: textOrTexts, options },
  logits: { texts: list, options },
});

function checkThreshold(threshold: number | undefined): void {
  if (threshold !== undefined && !(threshold >= 0 && threshold <= 1)) {
    throw bad(`The threshold must be a number from 0 to 1, not ${threshold}.`, 'options.threshold');
  }
}
