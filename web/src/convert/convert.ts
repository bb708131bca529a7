// Conversion on the caller's side. Browsers fetch this file with the first conversion.

import { AmbryError } from '../base/errors.ts';
import { callback, flag, object, oneOf, text, texts } from '../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../base/options.ts';
import { adapters } from '../model/adapter-option.ts';
import type { WireOutput } from '../output/types.ts';
import type { Platform, WorkerName } from '../platform/platform.ts';
import type { RuntimeOptions } from '../platform/types.ts';
import type { JobOptions } from '../rpc/types.ts';
import { withWorker } from '../runtime/connect.ts';
import { sourceJobNames } from '../runtime/option-names.ts';
import type { FetchOptions, ModelDirectory, ModelSource } from '../sources/base/types.ts';
import { fromHub, isDirectory, orBase, wireSource } from '../sources/wire-source.ts';
import { withAdapters } from './adapter-parts.ts';
import {
  type ConversionParts,
  converterOf,
  partsOf,
  refuseByConfig,
  transferOfAll,
} from './conversion-parts.ts';
import {
  type ConversionTargets,
  type ConvertOptions,
  type ConvertToFileOptions,
  convertDefaults,
  keptHeads,
  type WordSelection,
} from './convert-types.ts';
import type { ConversionSettings, ConvertCalls } from './protocol.ts';

const selectionNames: OptionNames<WordSelection> = { words: texts, ignoreUnknown: flag };
const convertOptionNames: OptionNames<ConvertToFileOptions> = {
  ...sourceJobNames,
  to: text,
  from: text,
  arch: text,
  lowercase: flag,
  task: text,
  adapter: adapters,
  head: oneOf(keptHeads),
  lossy: flag,
  unnormalize: flag,
  dtype: true,
  dim: true,
  metadata: object,
  metadataToml: text,
  reconstruct: flag,
  explicit: flag,
  select: { ...object, options: selectionNames },
  onWarning: callback,
  onReport: callback,
  output: text,
};

export async function convert(
  platform: Platform,
  source: ModelSource | ModelDirectory,
  options: ConvertOptions & { readonly output?: string },
): Promise<Blob | null> {
  await refuseUnknown(options, convertOptionNames);
  const { to = convertDefaults.to, from, arch, dtype, dim, lossy, metadata, output } = options;
  const base = await conversionParts(platform, source, { ...options, to });
  const { adapters, ...parts } = await withAdapters(platform, base, options.adapter, options);
  const { lowercase, task, head, unnormalize, reconstruct, explicit, select, metadataToml } =
    options;
  const ofEncoders = { lowercase, task, head, dim };
  const ofVectors = { unnormalize, reconstruct, explicit, select, metadataToml };
  const merged = adapters && { adapters };
  const settings = {
    to,
    from,
    arch,
    dtype,
    lossy,
    metadata,
    ...merged,
    ...ofEncoders,
    ...ofVectors,
  };
  const run = withOutput(platform, output, (file) =>
    runConversion(platform, parts, settings, file, options),
  );
  const { blob, report } = await orBase(source, options, run);
  if (report) {
    options.onReport?.(report);
  }
  return blob;
}

/** Runs `write` with a temporary file, which then becomes the file `output`. The worker has ended when
 *  `write` fails, so nothing is written to the file after it was removed. */
export async function withOutput<T>(
  platform: Platform,
  output: string | undefined,
  write: (file: WireOutput | undefined) => Promise<T>,
): Promise<T> {
  if (output === undefined) {
    return write(undefined);
  }
  if (!platform.createOutput) {
    throw new AmbryError('Unsupported', 'A browser cannot write to a path; take the blob.');
  }
  const file = await platform.createOutput(output);
  try {
    const result = await write({ path: file.path, target: file.target });
    await file.commit();
    return result;
  } catch (error) {
    await file.discard();
    throw error;
  }
}

type Converted = ConvertCalls['convert']['out'];

export async function runConversion(
  platform: Platform,
  parts: ConversionParts,
  settings: ConversionSettings,
  output: WireOutput | undefined,
  options: JobOptions & RuntimeOptions & Pick<ConvertOptions, 'onWarning'>,
): Promise<Converted> {
  const transfer = transferOfAll(parts);
  const converted = await withWorker<ConvertCalls, Converted>(
    platform,
    options,
    await workerFor(settings, parts),
    (channel) => channel.call('convert', { ...parts, settings, output }, { ...options, transfer }),
  );
  for (const warning of converted.warnings) {
    options.onWarning?.(warning);
  }
  return converted;
}

/** Calibration runs the model. */
async function workerFor(
  { quantize }: ConversionSettings,
  parts: ConversionParts,
): Promise<WorkerName> {
  const runs = quantize?.images || quantize?.calibration !== undefined;
  return runs ? 'all' : converterOf(parts);
}

export async function conversionTargets(
  platform: Platform,
  source: ModelSource | ModelDirectory,
  options: Omit<ConvertOptions, 'to'>,
): Promise<ConversionTargets> {
  await refuseUnknown(options, convertOptionNames);
  const base = await conversionParts(platform, source, options);
  const { adapters, ...parts } = await withAdapters(platform, base, options.adapter, options);
  const { from, arch, lowercase, task, head, dtype, dim, lossy, unnormalize, metadata } = options;
  const ofEncoders = { lowercase, task, head, dim };
  const merged = adapters && { adapters };
  const settings = { from, arch, dtype, lossy, unnormalize, metadata, ...merged, ...ofEncoders };
  const worker = await converterOf(parts);
  return withWorker<ConvertCalls, ConversionTargets>(platform, options, worker, (channel) =>
    channel.call(
      'conversionTargets',
      { ...parts, settings },
      { ...options, transfer: transferOfAll(parts) },
    ),
  );
}

export async function conversionParts(
  platform: Platform,
  named: ModelSource | ModelDirectory,
  options: JobOptions & FetchOptions & Pick<ConvertOptions, 'arch'> & { readonly to?: string },
): Promise<ConversionParts> {
  const given = await fromHub(named, options, 'model');
  const source = isDirectory(given) ? given : await wireSource(platform.locate, given, options);
  return partsOf(platform, source, options, (files) => refuseUnsupported(platform, files, options));
}

/** Refuses a directory whose config.json says that the model is not supported. Nobody has to get its weights for that. */
async function refuseUnsupported(
  platform: Platform,
  files: ConversionParts['files'],
  { to, arch, signal }: Pick<ConvertOptions, 'arch' | 'signal'> & { readonly to?: string },
): Promise<void> {
  if (to === undefined) {
    return;
  }
  const settings = { to, ...(arch !== undefined && { arch }) };
  const options = signal ? { signal } : {};
  await refuseByConfig(files, (parts) =>
    runConversion(platform, parts, settings, undefined, options),
  );
}
