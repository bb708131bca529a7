// An image classifier, on the caller's side.

import { checkMethods } from '../base/call.ts';
import {
  flag,
  isObject,
  isSomeObject,
  type Kind,
  list,
  options,
  signal,
  text,
} from '../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../base/options.ts';
import { plainJson } from '../base/plain-json.ts';
import type { LabelScore } from '../model/classify-types.ts';
import type { FileInfo } from '../model/file-info.ts';
import type { ModelFacts } from '../model/model-facts.ts';
import type { OpenedModel } from '../model/protocol.ts';
import { WorkerResource } from '../model/resource.ts';
import type { Connection } from '../runtime/connect.ts';
import { jobOptionNames } from '../runtime/option-names.ts';
import { agreementOf } from './agreement.ts';
import { wireInput } from './input.ts';
import type { ImageClassifierCalls } from './protocol.ts';
import type {
  Agreement,
  ClassifyImageOptions,
  ImageClassifierInfo,
  ImageClassifierPlan,
  ImageInput,
  ImageRun,
  RunImageOptions,
} from './types.ts';

const plan: Kind = {
  words: 'a plan or its JSON',
  is: (value) => isObject(value) || text.is(value),
};
const agreementOptionNames: OptionNames<Pick<ClassifyImageOptions, 'plan' | 'mode' | 'signal'>> = {
  plan,
  mode: true,
  signal,
};
const classifyOptionNames: OptionNames<ClassifyImageOptions> = {
  ...jobOptionNames,
  ...agreementOptionNames,
  k: true,
  threshold: true,
};
const runOptionNames: OptionNames<RunImageOptions> = {
  ...classifyOptionNames,
  trace: flag,
  activations: flag,
};

const picture: Kind = { words: 'a picture, pixels or a Float32Array', is: isSomeObject };
const network: Kind = {
  words: 'an opened image classifier',
  is: (value) => typeof (value as Partial<ImageClassifier> | null)?.run === 'function',
};

/**
 * A network that classifies pictures. It runs in a worker of its own.
 *
 * @example
 * const model = await open('resnet18_dq8.bin', { kind: 'imageClassifier' });
 * const [best] = await model.classify(file);
 * console.log(best?.label, best?.score);
 */
export class ImageClassifier extends WorkerResource<ImageClassifierCalls> implements ModelFacts {
  readonly kind = 'imageClassifier';
  readonly info: FileInfo & { readonly imageClassifier: ImageClassifierInfo };
  readonly weightBytes: number;
  readonly flavour: string;
  /** The plan of a network that was an ONNX file: what its graph says. Null for others. */
  readonly plan: ImageClassifierPlan | null;

  /** @internal */
  constructor(connection: Connection<ImageClassifierCalls>, opened: OpenedModel) {
    super(connection);
    this.info = opened.info as FileInfo & { readonly imageClassifier: ImageClassifierInfo };
    this.weightBytes = opened.weightBytes;
    this.flavour = opened.flavour;
    this.plan = (opened.plan as ImageClassifierPlan | undefined) ?? null;
  }

  /**
   * The best labels of a picture, or of a tensor of normalized values, with their scores, which are probabilities: the 5
   * best unless `k` says another number. The plan has the labels; without them a label is the number of its class.
   *
   * Rejects with `Unsupported` for a network that needs a plan and has none, with an error at `plan…` for a plan that
   * does not fit the file, with `BadValue` for an input that the network cannot take, and with an `AbortError`.
   *
   * @example
   * const labels = await model.classify(file, { k: 3, plan });
   */
  async classify(input: ImageInput, options: ClassifyImageOptions = {}): Promise<LabelScore[]> {
    await refuseUnknown(options, classifyOptionNames);
    return [...(await this.#run(input, options)).labels];
  }

  /**
   * Runs the network, and returns what it computes besides the labels: the logits, the layers with their times, and if
   * asked checksums (`trace`) or the values (`activations`) of all intermediate results.
   *
   * Rejects as `classify` does.
   *
   * @example
   * const { logits, layers } = await model.run(file, { plan });
   */
  async run(input: ImageInput, options: RunImageOptions = {}): Promise<ImageRun> {
    await refuseUnknown(options, runOptionNames);
    return this.#run(input, options);
  }

  async #run(given: ImageInput, options: RunImageOptions): Promise<ImageRun> {
    const { signal, onProgress, plan, ...settings } = options;
    const { channel, platform } = this.connection;
    const input = {
      input: await wireInput(platform, given),
      plan:
        plan === undefined
          ? null
          : typeof plan === 'string'
            ? plan
            : plainJson(plan, 'options.plan'),
      settings,
    };
    signal?.throwIfAborted();
    return channel.call('runPicture', input, { signal, onProgress });
  }

  /**
   * How often another variant of this network, for example a quantized one, gives the same answer over some inputs.
   *
   * Rejects as `classify` does, with `Mismatch` for a network with another number of classes, and with `BadValue` when
   * there are no inputs.
   *
   * @example
   * const { sameAnswer, inputs, largestDifference } = await floats.agreement(small, pictures, { plan });
   */
  agreement(
    other: ImageClassifier,
    inputs: readonly ImageInput[],
    options: Pick<ClassifyImageOptions, 'plan' | 'mode' | 'signal'> = {},
  ): Promise<Agreement> {
    return (
      refuseUnknown(options, agreementOptionNames) ?? agreementOf(this, other, inputs, options)
    );
  }
}

checkMethods(ImageClassifier, {
  classify: { input: picture, options },
  run: { input: picture, options },
  agreement: { other: network, inputs: list, options },
});
