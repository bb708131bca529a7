// The calls of the package, for any platform: sources go over the wire, work goes to a worker.

import type { WireSource } from '../rpc/protocol.ts';
import type {
  ConvertOptions,
  Doc,
  IndexedModel,
  IndexOptions,
  Inspection,
  JobOptions,
  ModelDirectory,
  ModelSource,
  OpenOptions,
  RuntimeOptions,
  ValidateOptions,
  ValidationReport,
} from '../types.ts';
import { keepWorker, withWorker } from './connect.ts';
import { directoryParts } from './directory.ts';
import { Model, Tokenizer } from './model.ts';
import type { Platform } from './platform.ts';
import { checkModel, newHeader, readHeader, SearchIndex } from './search-index.ts';
import { isDirectory, wireSource } from './wire-source.ts';

type Options = JobOptions & RuntimeOptions;

export async function open(
  platform: Platform,
  source: ModelSource,
  options: OpenOptions,
): Promise<Model> {
  const wire = await wireSource(platform, source, options);
  return keepWorker(platform, options, 'run', async (channel) => {
    const input = { source: wire, weights: options.weights ?? 'as-stored' } as const;
    return new Model(channel, await channel.call('open', input, options), options);
  });
}

export async function openTokenizer(
  platform: Platform,
  source: ModelSource,
  options: Options,
): Promise<Tokenizer> {
  const wire = await wireSource(platform, source, options);
  return keepWorker(platform, options, 'all', async (channel) => {
    return new Tokenizer(channel, await channel.call('openTokenizer', { source: wire }, options));
  });
}

export async function inspect(
  platform: Platform,
  source: ModelSource,
  options: Options,
): Promise<Inspection> {
  const wire = await wireSource(platform, source, options);
  return withWorker(platform, options, (channel) =>
    channel.call('inspect', { source: wire }, options),
  );
}

export async function validate(
  platform: Platform,
  source: ModelSource,
  options: ValidateOptions,
): Promise<ValidationReport> {
  const { strict = false, values = false } = options;
  const wire = await wireSource(platform, source, options);
  return withWorker(platform, options, (channel) =>
    channel.call('validate', { source: wire, strict, values }, options),
  );
}

export async function convert(
  platform: Platform,
  source: ModelSource | ModelDirectory,
  options: ConvertOptions & { readonly output?: string },
): Promise<Blob | null> {
  const parts = await conversionParts(platform, source, options);
  const { to = 'embd', from, dtype, metadata, output } = options;
  const input = { ...parts, settings: { to, from, dtype, metadata }, output };
  const { blob, warnings } = await withWorker(platform, options, (channel) =>
    channel.call('convert', input, options),
  );
  for (const warning of warnings) options.onWarning?.(warning);
  return blob;
}

async function conversionParts(
  platform: Platform,
  given: ModelSource | ModelDirectory,
  options: JobOptions,
): Promise<{ source: WireSource; files: Record<string, WireSource> }> {
  let directory = isDirectory(given) ? given : undefined;
  if (!isDirectory(given)) {
    const source = await wireSource(platform, given, options);
    directory = await platform.directoryAt(source);
    if (!directory) return { source, files: {} };
  }
  const { weights, files } = directoryParts(directory as ModelDirectory);
  const wired: Record<string, WireSource> = {};
  for (const [name, file] of Object.entries(files)) {
    wired[name] = await wireSource(platform, file, options);
  }
  return { source: await wireSource(platform, weights, options), files: wired };
}

export async function createIndex(
  platform: Platform,
  model: Model,
  docs: readonly Doc[],
  options: IndexOptions,
): Promise<SearchIndex> {
  const header = await newHeader(model, options);
  return keepWorker(platform, { ...model.runtime, ...options }, 'run', async (channel) => {
    await channel.call('createIndex', { dim: header.model.dim });
    const index = new SearchIndex(channel, model, header);
    await index.add(docs, options);
    return index;
  });
}

export async function loadIndex(
  platform: Platform,
  model: Model | ((indexed: IndexedModel) => Promise<Model>),
  source: ModelSource,
  options: Options,
): Promise<SearchIndex> {
  const wire = await wireSource(platform, source, options);
  const runtime = model instanceof Model ? { ...model.runtime, ...options } : options;
  return keepWorker(platform, runtime, 'run', async (channel) => {
    const facts = await channel.call('readIndex', { source: wire }, options);
    const header = readHeader(facts.header, facts.size, facts.dim);
    const opened = model instanceof Model ? model : await model(header.model);
    await checkModel(opened, header.model, options.signal);
    return new SearchIndex(channel, opened, header);
  });
}
