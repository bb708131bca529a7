// Opening models that generate text. Pages fetch this with their first one.

import { Model } from '../model/model.ts';
import { type MakeModel, openByOwnWorker } from '../model/own-worker.ts';
import type { OpenOptions } from '../model/types.ts';
import type { WireSource } from '../rpc/protocol.ts';
import type { Platform } from '../runtime/platform.ts';
import { generatorCalls } from './generate.ts';

export function generatorOf(platform: Platform, options: OpenOptions): MakeModel {
  return (channel, opened) =>
    Object.assign(
      new Model(platform, channel, opened, options),
      generatorCalls(channel, opened.info),
    );
}

export function openGenerator(
  platform: Platform,
  wire: WireSource,
  options: OpenOptions,
): Promise<Model> {
  return openByOwnWorker(platform, wire, options, 'generate', generatorOf(platform, options));
}
