// The files of LoRA adapters, which a conversion merges into the weights of their base.

import { AmbryError } from '../base/errors.ts';
import { isObject } from '../base/kinds.ts';
import {
  type AdapterSource,
  type Adapters,
  adapterDefaults,
  type WeightedAdapter,
} from '../model/adapter-types.ts';
import type { Platform } from '../platform/platform.ts';
import type { JobOptions } from '../rpc/types.ts';
import type { FetchOptions, ModelDirectory, ModelSource } from '../sources/base/types.ts';
import type { NamedSource, WireSource } from '../sources/base/wire.ts';
import { namedIn } from '../sources/directory/directory.ts';
import { adapterConfig, adapterWeights } from '../sources/directory/model-files.ts';
import { isUrlOfDirectory } from '../sources/http/url.ts';
import { fromHub, isDirectory, wireSource } from '../sources/wire-source.ts';
import type { ConversionParts } from './conversion-parts.ts';

type Options = JobOptions & FetchOptions;

/** The settings and the matrices. A GGUF file has both. */
interface AdapterFiles {
  readonly config?: ModelSource;
  readonly weights: ModelSource;
  readonly name: string;
}

/** The parts of a conversion with the files of the adapters, each in a folder of its own, and their factors. */
export async function withAdapters(
  platform: Platform,
  parts: ConversionParts,
  given: Adapters | undefined,
  { sha256: _, ...options }: Options,
): Promise<ConversionParts & { readonly adapters?: readonly number[] }> {
  const list = listOf(given);
  if (list.length === 0) {
    return parts;
  }
  const weights: NamedSource[] = [...parts.weights];
  const files: Record<string, WireSource> = { ...parts.files };
  for (const [i, { source }] of list.entries()) {
    const found = await filesOf(platform, source, options, `options.adapter[${i}]`);
    // The core knows the files of an adapter by this folder (core/convert/adapter).
    const folder = `adapter[${i}]/`;
    const wire = (file: ModelSource) => wireSource(platform.locate, file, options);
    weights.push({ name: folder + found.name, source: await wire(found.weights) });
    if (found.config !== undefined) {
      files[folder + adapterConfig] = await wire(found.config);
    }
  }
  return {
    ...parts,
    weights,
    files,
    adapters: list.map(({ weight = adapterDefaults.weight }) => weight),
  };
}

function listOf(given: Adapters | undefined): WeightedAdapter[] {
  const list = given === undefined ? [] : Array.isArray(given) ? given : [given];
  return list.map((one: unknown, i) => {
    const adapter = isWeighted(one) ? one : { source: one as AdapterSource };
    const { weight = adapterDefaults.weight } = adapter;
    if (typeof weight !== 'number' || !Number.isFinite(weight)) {
      const path = `options.adapter[${i}].weight`;
      throw new AmbryError('BadValue', `Not a finite number: ${String(weight)}`, { path });
    }
    return adapter;
  });
}

function isWeighted(given: unknown): given is WeightedAdapter {
  return (
    isObject(given) &&
    'source' in given &&
    Object.keys(given).every((name) => name === 'source' || name === 'weight')
  );
}

async function filesOf(
  platform: Platform,
  source: AdapterSource,
  options: Options,
  path: string,
): Promise<AdapterFiles> {
  const found = await fromHub(source, options, 'adapter');
  if (isDirectory(found)) {
    return filesAmong(found, path);
  }
  const wire = await wireSource(platform.locate, found, options);
  if (wire.kind === 'url' && isUrlOfDirectory(wire)) {
    const at = (name: string) => siblingUrl(wire.url, name);
    return { config: at(adapterConfig), weights: at(adapterWeights), name: adapterWeights };
  }
  const directory = platform.isDirectory(wire) && (await platform.directoryAt(wire));
  if (directory) {
    return filesAmong(directory, path);
  }
  const place =
    wire.kind === 'url' ? new URL(wire.url).pathname : wire.kind === 'path' ? wire.path : '';
  const name = place.replace(/^.*[/\\]/, '') || 'adapter';
  if (!name.endsWith('.safetensors')) {
    return { weights: found, name };
  }
  // The settings are beside the matrices.
  const config =
    wire.kind === 'url'
      ? siblingUrl(wire.url, adapterConfig)
      : { path: place.slice(0, -name.length) + adapterConfig };
  return { config, weights: found, name };
}

/** Another file of the directory. What follows a question mark belongs to every file, as a token does. */
function siblingUrl(address: string, name: string): URL {
  const base = new URL(address);
  const sibling = new URL(name, base);
  sibling.search = base.search;
  return sibling;
}

function filesAmong(directory: ModelDirectory, path: string): AdapterFiles {
  const named = namedIn(directory);
  const config = named.get(adapterConfig);
  const weights = named.get(adapterWeights);
  if (config !== undefined && weights !== undefined) {
    return { config, weights, name: adapterWeights };
  }
  const [first, second] = [...named].filter(([name]) => name.endsWith('.gguf'));
  if (first && !second && config === undefined) {
    return { weights: first[1], name: first[0] };
  }
  const other = named.has('adapter_model.bin')
    ? ' It has adapter_model.bin, which is not read; save the adapter as safetensors.'
    : '';
  const missing = config === undefined ? adapterConfig : adapterWeights;
  const message = `The directory of the adapter has no ${missing}.${other}`;
  throw new AmbryError('NotFound', message, { path: `${path}: ${missing}` });
}
