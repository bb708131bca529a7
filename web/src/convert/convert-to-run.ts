// Sources that do not run as they are: they are converted without loss, and the result is opened. Pages fetch this file
// with their first such source.
import { AmbryError } from '../base/errors.ts';
import type { RunKind } from '../model/kind.ts';
import type { ConvertedSource } from '../model/protocol.ts';
import type { OpenOptions } from '../model/types.ts';
import type { WireOutput } from '../output/types.ts';
import type { Platform } from '../platform/platform.ts';
import { withWorker } from '../runtime/connect.ts';
import type { ModelDirectory } from '../sources/base/types.ts';
import type { WireSource } from '../sources/base/wire.ts';
import { withAdapters } from './adapter-parts.ts';
import {
  type ConversionParts,
  converterOf,
  partsOf,
  refuseByConfig,
  transferOfAll,
} from './conversion-parts.ts';
import { keptHeads } from './convert-types.ts';
import type { ConvertCalls } from './protocol.ts';

type Converted = ConvertCalls['convertToRun']['out'];

/** Converts to the format in which a model of this kind runs; without a kind, the source says it. In Node the result is a
 *  temporary file, which `release` removes. */
export async function convertToRun(
  platform: Platform,
  source: WireSource | ModelDirectory,
  kind: RunKind | undefined,
  options: OpenOptions,
): Promise<ConvertedSource> {
  refuseRange(source, options);
  const head = keptHeads.find((name) => name === options.kind);
  const run = async (parts: ConversionParts, output?: WireOutput) =>
    withWorker<ConvertCalls, Converted>(platform, options, await converterOf(parts), (channel) =>
      channel.call(
        'convertToRun',
        { ...parts, kind, head, quantize: options.quantize, output },
        { ...options, transfer: transferOfAll(parts) },
      ),
    );
  const base = await partsOf(platform, source, options, (files) => refuseByConfig(files, run));
  const parts = await withAdapters(platform, base, options.adapter, options);
  const file = await platform.createTemporary?.();
  try {
    const output = file && { path: file.path, target: file.path, isTemporary: true };
    const { blob, ...converted } = await run(parts, output);
    for (const warning of converted.warnings) {
      options.onWarning?.(warning);
    }
    const wire: WireSource = blob
      ? { kind: 'blob', blob }
      : { kind: 'path', path: file?.path ?? '' };
    return { ...converted, wire, release: async () => file?.discard() };
  } catch (error) {
    await file?.discard();
    throw error;
  }
}

/** A conversion reads the whole file, and who asks for ranges wants to avoid that. */
function refuseRange(source: WireSource | ModelDirectory, { mode }: OpenOptions): void {
  const isRemote = !(source instanceof Map) && 'kind' in source && source.kind === 'url';
  if (mode !== 'range' || !isRemote) {
    return;
  }
  const message =
    'Only finalfusion files are read by range. This file has to be converted, so leave the option out, or convert the file once.';
  throw new AmbryError('Unsupported', message, { path: 'options.mode' });
}
