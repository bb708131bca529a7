// Conversion on the caller's side; browsers fetch it with the first conversion.
import type { WireSource } from '../rpc/protocol.ts';
import type {
  ConversionTargets,
  ConvertOptions,
  FetchOptions,
  JobOptions,
  ModelDirectory,
  ModelSource,
} from '../types.ts';
import { withWorker } from './connect.ts';
import { directoryParts } from './directory.ts';
import type { Platform } from './platform.ts';
import { isDirectory, transferOf, wireSource } from './wire-source.ts';

export async function convert(
  platform: Platform,
  source: ModelSource | ModelDirectory,
  options: ConvertOptions & { readonly output?: string },
): Promise<Blob | null> {
  const parts = await conversionParts(platform, source, options);
  const { to = 'embd', from, dtype, metadata, output } = options;
  const input = { ...parts, settings: { to, from, dtype, metadata }, output };
  const transfer = [parts.source, ...Object.values(parts.files)].flatMap(transferOf);
  const { blob, warnings } = await withWorker(platform, options, (channel) =>
    channel.call('convert', input, { ...options, transfer }),
  );
  for (const warning of warnings) options.onWarning?.(warning);
  return blob;
}

export async function conversionTargets(
  platform: Platform,
  source: ModelSource | ModelDirectory,
  options: Omit<ConvertOptions, 'to'>,
): Promise<ConversionTargets> {
  const parts = await conversionParts(platform, source, options);
  const { from, dtype, metadata } = options;
  const input = { ...parts, settings: { from, dtype, metadata } };
  const transfer = [parts.source, ...Object.values(parts.files)].flatMap(transferOf);
  return withWorker(platform, options, (channel) =>
    channel.call('conversionTargets', input, { ...options, transfer }),
  );
}

async function conversionParts(
  platform: Platform,
  given: ModelSource | ModelDirectory,
  options: JobOptions & FetchOptions,
): Promise<{ source: WireSource; files: Record<string, WireSource> }> {
  let directory = isDirectory(given) ? given : undefined;
  if (!isDirectory(given)) {
    const source = await wireSource(platform, given, options);
    directory = await platform.directoryAt(source);
    if (!directory) return { source, files: {} };
  }
  const { weights, files } = directoryParts(directory as ModelDirectory);
  const wired: Record<string, WireSource> = {};
  const { sha256: _, ...sideOptions } = options;
  for (const [name, file] of Object.entries(files)) {
    wired[name] = await wireSource(platform, file, sideOptions);
  }
  return { source: await wireSource(platform, weights, options), files: wired };
}
