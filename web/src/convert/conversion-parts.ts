// The files that a conversion reads: weights, and the small files beside them.

import { AmbryError } from '../base/errors.ts';
import type { Platform, WorkerName } from '../platform/platform.ts';
import type { Movable } from '../rpc/port.ts';
import type { JobOptions } from '../rpc/types.ts';
import type { FetchOptions, ModelDirectory } from '../sources/base/types.ts';
import type { NamedSource, WireSource } from '../sources/base/wire.ts';
import {
  adapterConfig,
  isTokenLinear,
  type SideFile,
  weightForms,
} from '../sources/directory/model-files.ts';
import { directoryPartsOf } from '../sources/directory/module-parts.ts';
import { isUrlOfDirectory } from '../sources/http/url.ts';
import { haveOnnx, isOnnxSource } from '../sources/onnx-source.ts';
import { transferOf, wireSource } from '../sources/wire-source.ts';

export interface ConversionParts {
  readonly weights: readonly NamedSource[];
  readonly files: Readonly<Record<string, WireSource>>;
  /** The files of the directory that are not read and may matter. */
  readonly unread?: readonly string[];
}

export function transferOfAll({ weights, files }: ConversionParts): Movable[] {
  const sources = weights.map(({ source }) => source);
  return [...sources, ...Object.values(files)].flatMap(transferOf);
}

/** The worker that converts the files. */
export async function converterOf({ weights }: ConversionParts): Promise<WorkerName> {
  return (await haveOnnx(weights)) ? 'onnx' : 'convert';
}

/** The files of a directory, of the directory that the source names, or the source alone. `refuse` throws what is wrong
 *  with a directory that has no weights, if it is more than that. */
export async function partsOf(
  platform: Platform,
  given: WireSource | ModelDirectory,
  options: JobOptions & FetchOptions,
  refuse: (files: ConversionParts['files']) => Promise<void>,
): Promise<ConversionParts> {
  const directory = isWire(given) ? await directoryOf(platform, given, options) : given;
  if (!directory) {
    return { weights: [{ name: '', source: given as WireSource }], files: {} };
  }
  const { weights, files, missing, unread } = await directoryPartsOf(directory, options);
  const wired: Record<string, WireSource> = {};
  const { sha256: _, ...sideOptions } = options;
  for (const [name, file] of Object.entries(files)) {
    wired[name] = await wireSource(platform.locate, file, sideOptions);
  }
  if (missing) {
    await refuse(wired);
    const isTold = [adapterConfig, ...weightForms.map(({ index }) => index)];
    if (!isTold.some((name) => wired[name] !== undefined)) {
      throw missing;
    }
    // The worker reads these files and says what they mean.
  }
  const named: NamedSource[] = [];
  const isMain = (name: string) => !name.includes('/') && !isTokenLinear(name);
  const isWhole = weights.filter(([name]) => isMain(name)).length === 1;
  for (const [name, file] of weights) {
    // The caller's hash is the hash of the one file that has the main weights.
    const own = isWhole && isMain(name) ? options : sideOptions;
    named.push({ name, source: await wireSource(platform.locate, file, own) });
  }
  return { weights: named, files: wired, unread };
}

function isWire(given: WireSource | ModelDirectory): given is WireSource {
  return !(given instanceof Map) && typeof (given as { readonly kind?: unknown }).kind === 'string';
}

async function directoryOf(
  platform: Platform,
  source: WireSource,
  options: JobOptions & FetchOptions,
): Promise<ModelDirectory | undefined> {
  if (source.kind !== 'url') {
    return platform.directoryAt(source);
  }
  if (await isOnnxSource(source)) {
    return (await import('../sources/directory/url-directory.ts')).directoryOfOnnx(source, options);
  }
  if (!isUrlOfDirectory(source)) {
    return platform.directoryAt(source);
  }
  return (await import('../sources/directory/url-directory.ts')).directoryAtUrl(
    source.url,
    options,
  );
}

/** A safetensors file without tensors: the length of its header, and the header. */
export function noWeights(): NamedSource[] {
  const blob = new Blob([new Uint8Array([2, 0, 0, 0, 0, 0, 0, 0]), '{}']);
  return [{ name: 'model.safetensors', source: { kind: 'blob', blob } }];
}

/** Runs `attempt` with weights that have no tensors, and throws what it says of config.json. */
export async function refuseByConfig(
  files: ConversionParts['files'],
  attempt: (parts: ConversionParts) => Promise<unknown>,
): Promise<void> {
  const config: SideFile = 'config.json';
  if (files[config] === undefined) {
    return;
  }
  try {
    await attempt({ weights: noWeights(), files });
  } catch (error) {
    // Which code the weights are of is not known without them.
    const isOfWeights = error instanceof AmbryError && error.path?.endsWith('.auto_map');
    if (error instanceof AmbryError && error.path?.startsWith(config) && !isOfWeights) {
      throw error;
    }
  }
}
