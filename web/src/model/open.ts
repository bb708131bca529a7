// The calls of the package, for any platform: sources go over the wire, work goes to a worker.

import type { AmbryError } from '../errors.ts';
import type { Inspection } from '../files/inspect-types.ts';
import type { ValidateOptions, ValidationReport } from '../files/validate-types.ts';
import type { FetchOptions, JobOptions, ModelSource, RuntimeOptions } from '../rpc/types.ts';
import { keepWorker, withWorker } from '../runtime/connect.ts';
import type { Platform } from '../runtime/platform.ts';
import { newHeader, SearchIndex } from '../search/search-index.ts';
import type { Doc, IndexOptions } from '../search/types.ts';
import { Model, Tokenizer } from './model.ts';
import type { OpenOptions } from './types.ts';
import { purposeOf, transferOf, wireSource } from './wire-source.ts';

type Options = JobOptions & RuntimeOptions & FetchOptions;

export async function open(
  platform: Platform,
  source: ModelSource,
  options: OpenOptions,
): Promise<Model> {
  const wire = await wireSource(platform, source, options);
  const other = () => import('./open-other.ts');
  const { mode, weights, kv, context, resident } = options;
  if ((mode && mode !== 'whole') || wire.holds) {
    return (await other()).openOther(platform, wire, options);
  }
  const input = { source: wire, weights, kv, context, resident };
  return keepWorker(platform, options, purposeOf(wire), async (channel) => {
    const transfer = transferOf(wire);
    const opened = await channel.call('open', input, { ...options, transfer });
    if (opened.kind) return (await other()).modelOf(platform, channel, opened, options);
    return new Model(platform, channel, opened, options);
  }).catch(async (error: AmbryError) => {
    // The small worker knows encoders only.
    if (error.code !== 'BadMagic') throw error;
    return (await other()).openOther(platform, wire, options, error);
  });
}

export async function openTokenizer(
  platform: Platform,
  source: ModelSource,
  options: Options,
): Promise<Tokenizer> {
  const wire = await wireSource(platform, source, options);
  return keepWorker(platform, options, 'tokenize', async (channel) => {
    const transfer = transferOf(wire);
    const info = await channel.call('openTokenizer', { source: wire }, { ...options, transfer });
    return new Tokenizer(channel, info);
  });
}

export async function inspect(
  platform: Platform,
  source: ModelSource,
  options: Options,
): Promise<Inspection> {
  const wire = await wireSource(platform, source, options);
  return withWorker(platform, options, 'inspect', (channel) =>
    channel.call('inspect', { source: wire }, { ...options, transfer: transferOf(wire) }),
  );
}

export async function validate(
  platform: Platform,
  source: ModelSource,
  options: ValidateOptions,
): Promise<ValidationReport> {
  const { strict = false, values = false, checksums, context = false } = options;
  const wire = await wireSource(platform, source, options);
  const input = { source: wire, strict, values, checksums, context };
  return withWorker(platform, options, 'inspect', (channel) =>
    channel.call('validate', input, { ...options, transfer: transferOf(wire) }),
  );
}

export async function createIndex(
  platform: Platform,
  model: Model,
  docs: readonly Doc[],
  options: IndexOptions,
): Promise<SearchIndex> {
  const header = await newHeader(model, options);
  return keepWorker(platform, { ...model.runtime, ...options }, 'run', async (channel) => {
    const { vectors = 'int8' } = options;
    await channel.call('createIndex', { dim: header.model.dim, int8: vectors !== 'f32' });
    const index = new SearchIndex(channel, model, header, vectors);
    await index.add(docs, options);
    return index;
  });
}
