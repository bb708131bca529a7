// Opening networks for pictures. Pages fetch this with their first one.

import { Model } from '../model/model.ts';
import { type MakeModel, openByOwnWorker } from '../model/own-worker.ts';
import type { OpenOptions } from '../model/types.ts';
import type { WireSource } from '../rpc/protocol.ts';
import type { Platform } from '../runtime/platform.ts';
import { agreementOf } from './agreement.ts';
import { classify } from './classify.ts';
import type { Classification, ClassifierInput, ClassifyOptions } from './types.ts';

export function classifierOf(platform: Platform, options: OpenOptions): MakeModel {
  return (channel, opened) => {
    const run = (input: ClassifierInput, settings: ClassifyOptions = {}): Promise<Classification> =>
      classify(platform, channel, input, settings);
    const agreement: Model['agreement'] = (other, inputs, settings = {}) =>
      agreementOf({ classify: run }, other, inputs, settings);
    return Object.assign(new Model(platform, channel, opened, options), {
      classify: run,
      agreement,
    });
  };
}

export function openClassifier(
  platform: Platform,
  wire: WireSource,
  options: OpenOptions,
): Promise<Model> {
  return openByOwnWorker(platform, wire, options, 'classify', classifierOf(platform, options));
}
