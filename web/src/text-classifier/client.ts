// A classifier of texts, on the caller's side.

import { checkMethods } from '../base/call.ts';
import { options, textOrTexts } from '../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../base/options.ts';
import { checkTexts } from '../model/check-texts.ts';
import type { FileInfo } from '../model/file-info.ts';
import type { Prediction } from '../model/predict-types.ts';
import type { OpenedModel } from '../model/protocol.ts';
import { WorkerResource } from '../model/resource.ts';
import type { ModelFacts } from '../model/types.ts';
import type { Connection } from '../runtime/connect.ts';
import { jobOptionNames } from '../runtime/option-names.ts';
import type { Predicted, TextClassifierCalls } from './protocol.ts';
import type { PredictOptions, TextClassifierInfo } from './types.ts';

const predictOptionNames: OptionNames<PredictOptions> = {
  ...jobOptionNames,
  k: true,
  threshold: true,
};

type Info = FileInfo & { readonly textClassifier: TextClassifierInfo };

/**
 * A classifier of texts that fastText trained: for languages, topics, sentiments. It runs in a worker of its own.
 *
 * @example
 * const model = await open('lid.176.ftz', { kind: 'textClassifier' });
 * const [best] = await model.predict('Wie spät ist es?');
 * console.log(best?.label, best?.probability); // __label__de 0.99
 */
export class TextClassifier extends WorkerResource<TextClassifierCalls> implements ModelFacts {
  readonly kind = 'textClassifier';
  readonly info: Info;
  readonly weightBytes: number;
  readonly flavour: string;

  /** @internal */
  constructor(connection: Connection<TextClassifierCalls>, opened: OpenedModel) {
    super(connection);
    this.info = opened.info as Info;
    this.weightBytes = opened.weightBytes;
    this.flavour = opened.flavour;
  }

  /**
   * The most probable labels of a text, the best first. A list of texts gives a list for each of them. Probabilities are
   * as fastText states them: it adds 0.00001, with hierarchical softmax at each node of the tree, so that one can be a
   * little more than 1.
   *
   * A line feed in a text is white space. The text ends at a word `</s>`, as it does in fastText's own program. A text
   * of which the model knows nothing has no labels.
   *
   * Rejects with `BadValue` for texts that are no strings and for options out of range, and with an `AbortError`.
   *
   * @example
   * const [german, french] = await model.predict(['Guten Tag', 'Bonjour'], { k: 3, threshold: 0.1 });
   */
  predict(text: string, options?: PredictOptions): Promise<Prediction[]>;
  predict(texts: readonly string[], options?: PredictOptions): Promise<Prediction[][]>;
  async predict(
    given: string | readonly string[],
    options: PredictOptions = {},
  ): Promise<Prediction[] | Prediction[][]> {
    const refusal = refuseUnknown(options, predictOptionNames);
    if (refusal) {
      return refusal;
    }
    const { signal, onProgress, ...settings } = options;
    const texts = checkTexts(typeof given === 'string' ? [given] : given);
    const input = { texts, settings };
    const predicted = await this.connection.channel.call('predict', input, { signal, onProgress });
    const each = predictionsOf(predicted, this.info.textClassifier.labels);
    return typeof given === 'string' ? (each[0] ?? []) : each;
  }
}

checkMethods(TextClassifier, { predict: { texts: textOrTexts, options } });

function predictionsOf(
  { counts, labels, probabilities }: Predicted,
  names: readonly string[],
): Prediction[][] {
  let at = 0;
  return Array.from(counts, (count) => {
    const begin = at;
    at += count;
    return Array.from({ length: count }, (_, i) => ({
      label: names[labels[begin + i] ?? 0] ?? '',
      probability: probabilities[begin + i] ?? 0,
    }));
  });
}
