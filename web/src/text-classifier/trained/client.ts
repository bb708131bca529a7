// A text classifier that was trained on examples, on the caller's side.
import { checkMethods } from '../../base/call.ts';
import { options as optionsKind, text } from '../../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../../base/options.ts';
import type { Embedder } from '../../model/embedding.ts';
import { TextClassifier } from '../client.ts';
import type { ClassifierFacts } from './file-facts.ts';
import { trainedLabeller } from './labeller.ts';
import type { Weights } from './logits.ts';
import type { SaveClassifierOptions, TrainingFacts } from './types.ts';
import { classifierFile } from './write.ts';

const saveOptionNames: OptionNames<SaveClassifierOptions> = { model: text };

/**
 * A text classifier that was trained on examples: `createClassifier` makes it, and `open` opens its file. It has weights over
 * the vectors of an encoder (logistic regression), and the encoder runs it.
 *
 * @example
 * const topics = await createClassifier(encoder, examples);
 * const [best] = await topics.classify('My card was stolen.');
 */
export class TrainedClassifier extends TextClassifier {
  /** What it was trained on, and how it did on examples that were held out. */
  readonly training: TrainingFacts;
  readonly #facts: ClassifierFacts;
  readonly #weights: Weights;
  readonly #state: { isOpen: boolean };
  /** The encoder, if it ends with the classifier. */
  readonly #own: Embedder | undefined;

  /** @internal `own` says whether the encoder ends with the classifier. */
  constructor(encoder: Embedder, facts: ClassifierFacts, weights: Weights, own = false) {
    const { info } = classifierFile(facts, weights);
    const { labels, prompt, examples, l2, balanced, heldOut } = facts;
    const state = { isOpen: true };
    super(
      encoder.connection as never,
      {
        kind: 'textClassifier',
        info: { ...info, tokenizer: encoder.info.tokenizer },
        weightBytes: 4 * (weights.weight.length + weights.bias.length),
        flavour: encoder.flavour,
      },
      trainedLabeller({ encoder, labels, weights, prompt }, () => state.isOpen),
    );
    this.training = { examples, l2, balanced, heldOut };
    this.#facts = facts;
    this.#weights = weights;
    this.#state = state;
    this.#own = own ? encoder : undefined;
  }

  /**
   * The classifier as a file, which `open` opens again with the encoder. It is safetensors, so that other programs can read the
   * weights. `model` says where the encoder is, for the program that opens the file.
   *
   * @example
   * const file = await topics.save({ model: 'minilm.weights' });
   * const again = await open(file, { kind: 'textClassifier', encoder });
   */
  async save(options: SaveClassifierOptions = {}): Promise<Blob> {
    await refuseUnknown(options, saveOptionNames);
    const { encoder, ...facts } = this.#facts;
    const reference = options.model ?? encoder.reference;
    const whole = { ...facts, encoder: { ...encoder, reference } };
    return new Blob([classifierFile(whole, this.#weights).bytes]);
  }

  /** Ends the classifier. The encoder stays open, unless `open` opened it together with the classifier. */
  override async dispose(): Promise<void> {
    this.#state.isOpen = false;
    await this.#own?.dispose();
  }
}

checkMethods(TrainedClassifier, { save: { options: optionsKind } });
