// Conversion on the caller's side. Browsers fetch this file with the first conversion.

import { AmbryError } from '../errors.ts';
import type { JobOptions } from '../rpc/types.ts';
import { withWorker } from '../runtime/connect.ts';
import type { Platform, WorkerName } from '../runtime/platform.ts';
import type { RuntimeOptions } from '../runtime/types.ts';
import type { FetchOptions, ModelDirectory, ModelSource } from '../sources/types.ts';
import type { NamedSource, WireSource } from '../sources/wire.ts';
import { fromHub, isDirectory, transferOf, wireSource } from '../sources/wire-source.ts';
import { type ConversionTargets, type ConvertOptions, convertDefaults } from './convert-types.ts';
import { directoryParts, type SideFile } from './directory.ts';
import type { ConversionSettings, ConvertCalls, WireOutput } from './protocol.ts';

export async function convert(
  platform: Platform,
  source: ModelSource | ModelDirectory,
  options: ConvertOptions & { readonly output?: string },
): Promise<Blob | null> {
  const { to = convertDefaults.to, from, arch, dtype, lossy, metadata, output } = options;
  const parts = await conversionParts(platform, source, { ...options, to });
  const { lowercase, unnormalize, reconstruct, explicit, select, metadataToml } = options;
  const ofVectors = { unnormalize, reconstruct, explicit, select, metadataToml };
  const settings = { to, from, arch, lowercase, dtype, lossy, metadata, ...ofVectors };
  const { blob, report } = await withOutput(platform, output, (file) =>
    runConversion(platform, parts, settings, file, options),
  );
  if (report) options.onReport?.(report);
  return blob;
}

/** Runs `write` with a temporary file, which then becomes the file `output`. The worker has ended when
 *  `write` fails, so nothing is written to the file after it was removed. */
export async function withOutput<T>(
  platform: Platform,
  output: string | undefined,
  write: (file: WireOutput | undefined) => Promise<T>,
): Promise<T> {
  if (output === undefined) return write(undefined);
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
    workerFor(settings),
    (channel) => channel.call('convert', { ...parts, settings, output }, { ...options, transfer }),
  );
  for (const warning of converted.warnings) options.onWarning?.(warning);
  return converted;
}

/** Calibration runs the model. */
function workerFor({ quantize }: ConversionSettings): WorkerName {
  return quantize?.images || quantize?.calibration !== undefined ? 'all' : 'convert';
}

export async function conversionTargets(
  platform: Platform,
  source: ModelSource | ModelDirectory,
  options: Omit<ConvertOptions, 'to'>,
): Promise<ConversionTargets> {
  const parts = await conversionParts(platform, source, options);
  const { from, arch, lowercase, dtype, lossy, unnormalize, metadata } = options;
  const settings = { from, arch, lowercase, dtype, lossy, unnormalize, metadata };
  return withWorker<ConvertCalls, ConversionTargets>(platform, options, 'convert', (channel) =>
    channel.call(
      'conversionTargets',
      { ...parts, settings },
      { ...options, transfer: transferOfAll(parts) },
    ),
  );
}

export interface ConversionParts {
  readonly weights: readonly NamedSource[];
  readonly files: Readonly<Record<string, WireSource>>;
}

function transferOfAll({ weights, files }: ConversionParts): Transferable[] {
  const sources = weights.map(({ source }) => source);
  return [...sources, ...Object.values(files)].flatMap(transferOf);
}

export async function conversionParts(
  platform: Platform,
  named: ModelSource | ModelDirectory,
  options: JobOptions & FetchOptions & Pick<ConvertOptions, 'arch'> & { readonly to?: string },
): Promise<ConversionParts> {
  const given = await fromHub(named, options, 'model');
  let directory = isDirectory(given) ? given : undefined;
  if (!isDirectory(given)) {
    const source = await wireSource(platform.locate, given, options);
    directory = await platform.directoryAt(source);
    if (!directory) return { weights: [{ name: '', source }], files: {} };
  }
  const { weights, files, missing } = directoryParts(directory as ModelDirectory);
  const wired: Record<string, WireSource> = {};
  const { sha256: _, ...sideOptions } = options;
  for (const [name, file] of Object.entries(files)) {
    wired[name] = await wireSource(platform.locate, file, sideOptions);
  }
  if (missing) {
    await refuseUnsupported(platform, wired, options);
    throw missing;
  }
  const all: NamedSource[] = [];
  for (const [name, file] of weights) {
    // The caller's hash is the hash of this one file.
    const own = weights.length === 1 ? options : sideOptions;
    all.push({ name, source: await wireSource(platform.locate, file, own) });
  }
  return { weights: all, files: wired };
}

/** Refuses a directory whose config.json says that the model is not supported. Nobody has to get its weights for that. */
async function refuseUnsupported(
  platform: Platform,
  files: ConversionParts['files'],
  { to, arch, signal }: Pick<ConvertOptions, 'arch' | 'signal'> & { readonly to?: string },
): Promise<void> {
  const config: SideFile = 'config.json';
  if (to === undefined || files[config] === undefined) return;
  // A safetensors file without tensors: the length of its header, and the header.
  const none = new Blob([new Uint8Array([2, 0, 0, 0, 0, 0, 0, 0]), '{}']);
  const weights = [
    { name: 'model.safetensors', source: await wireSource(platform.locate, none, {}) },
  ];
  const settings = { to, ...(arch !== undefined && { arch }) };
  try {
    await runConversion(
      platform,
      { weights, files },
      settings,
      undefined,
      signal ? { signal } : {},
    );
  } catch (error) {
    if (error instanceof AmbryError && error.path?.startsWith(config)) throw error;
  }
}
