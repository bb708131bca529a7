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
import type { FileInfo } from '../model/file-info.ts';
import type { OpenedModel } from '../model/protocol.ts';
import { WorkerResource } from '../model/resource.ts';
import type { ModelFacts } from '../model/types.ts';
import type { Connection } from '../runtime/connect.ts';
import { jobOptionNames } from '../runtime/option-names.ts';
import { agreementOf } from './agreement.ts';
import { wireInput } from './input.ts';
import type { ClassifierCalls } from './protocol.ts';
import type {
  Agreement,
  Classification,
  ClassifierInfo,
  ClassifierInput,
  ClassifyOptions,
} from './types.ts';

const plan: Kind = {
  words: 'a plan or its JSON',
  is: (value) => isObject(value) || text.is(value),
};
const agreementOptionNames: OptionNames<Pick<ClassifyOptions, 'plan' | 'mode' | 'signal'>> = {
  plan,
  mode: true,
  signal,
};
const classifyOptionNames: OptionNames<ClassifyOptions> = {
  ...jobOptionNames,
  ...agreementOptionNames,
  topK: true,
  trace: flag,
  activations: flag,
};

const picture: Kind = { words: 'a picture, pixels or a Float32Array', is: isSomeObject };
const network: Kind = {
  words: 'an opened image classifier',
  is: (value) => typeof (value as Partial<Classifier> | null)?.classify === 'function',
};

/**
 * A network that classifies pictures. It runs in a worker of its own.
 *
 * @example
 * const model = await open('resnet18_dq8.bin', { kind: 'classifier' });
 * const { top } = await model.classify(file, { topK: 3 });
 */
export class Classifier extends WorkerResource<ClassifierCalls> implements ModelFacts {
  readonly kind = 'classifier';
  readonly info: FileInfo & { readonly classifier: ClassifierInfo };
  readonly weightBytes: number;
  readonly flavour: string;

  /** @internal */
  constructor(connection: Connection<ClassifierCalls>, opened: OpenedModel) {
    super(connection);
    this.info = opened.info as FileInfo & { readonly classifier: ClassifierInfo };
    this.weightBytes = opened.weightBytes;
    this.flavour = opened.flavour;
  }

  /**
   * The likeliest classes of a picture, or of a tensor of normalized values.
   *
   * Rejects with `Unsupported` for a network that needs a plan and has none, with an error at `plan…` for a plan that
   * does not fit the file, with `BadValue` for an input that the network cannot take, and with an `AbortError`.
   *
   * @example
   * const { top } = await model.classify(file, { topK: 3, plan });
   */
  async classify(given: ClassifierInput, options: ClassifyOptions = {}): Promise<Classification> {
    await refuseUnknown(options, classifyOptionNames);
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
    return channel.call('classify', input, { signal, onProgress });
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
    other: Classifier,
    inputs: readonly ClassifierInput[],
    options: Pick<ClassifyOptions, 'plan' | 'mode' | 'signal'> = {},
  ): Promise<Agreement> {
    return (
      refuseUnknown(options, agreementOptionNames) ?? agreementOf(this, other, inputs, options)
    );
  }
}

checkMethods(Classifier, {
  classify: { input: picture, options },
  agreement: { other: network, inputs: list, options },
});
