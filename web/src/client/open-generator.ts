// Opening models that generate text. Pages fetch this with their first one.
import type { WireSource } from '../rpc/protocol.ts';
import type { OpenOptions } from '../types.ts';
import { generatorCalls } from './generate.ts';
import { Model } from './model.ts';
import { type MakeModel, openByOwnWorker } from './own-worker.ts';
import type { Platform } from './platform.ts';

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
  const spawn = () =>
    // Spelled out so that bundlers see it.
    new Worker(new URL('../worker/generate-worker.js', import.meta.url), { type: 'module' });
  return openByOwnWorker(platform, wire, options, spawn, generatorOf(platform, options));
}
