// Selects the files of a Hugging Face directory that a conversion needs.
import { AmbryError } from '../../base/errors.ts';
import type { ModelDirectory, ModelSource } from '../base/types.ts';

/** The small files beside the weights, by the paths that the core expects. */
export const sideFiles = [
  'config.json',
  'generation_config.json',
  'tokenizer.json',
  'tokenizer.model',
  'tokenizer.bin',
  'tokenizer_config.json',
  'special_tokens_map.json',
  'added_tokens.json',
  'vocab.txt',
  'vocab.json',
  'merges.txt',
  'sentencepiece.bpe.model',
  'spiece.model',
  'spm.model',
  'modules.json',
  '1_Pooling/config.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
  'artifact.metadata',
] as const;
export type SideFile = (typeof sideFiles)[number];

export const weights = 'model.safetensors';
export type WeightsFile = typeof weights;

/** How the weights lie in a directory: in one file, or in several and an index that says which of them has which tensor.
 *  The first form that is there is taken. */
export const weightForms = [
  {
    whole: weights,
    index: 'model.safetensors.index.json',
    shard: /^[^/]+\.safetensors$/,
  },
  {
    whole: 'pytorch_model.bin',
    index: 'pytorch_model.bin.index.json',
    shard: /^pytorch_model-\d+-of-\d+\.bin$/,
  },
] as const;

/** Whether a file is one of `sideFiles`, in the directory or in the folder of a module, such as `2_Dense`. */
export function isSideFile(path: string): boolean {
  const names: readonly string[] = sideFiles;
  return names.includes(path) || names.includes(inModule(path).name);
}

/** Whether a file holds the weights of a module, such as `2_Dense/model.safetensors`. */
export function isModuleWeights(path: string): boolean {
  return weightForms.some(({ whole }) => whole === inModule(path).name);
}

/** A file in the folder of a module. The names of other files are empty. */
function inModule(path: string): { readonly folder: string; readonly name: string } {
  const [, folder = '', name = ''] = /^(\d+_\w+)\/([^/]+)$/.exec(path) ?? [];
  return { folder, name };
}

/** Files of weights in forms that are not supported, with advice for each. */
export const otherWeights: Readonly<Record<string, string>> = {
  'tf_model.h5': 'the weights are TensorFlow’s; save the model as safetensors',
  'flax_model.msgpack': 'the weights are Flax’s; save the model as safetensors',
};

export interface DirectoryParts {
  /** The weight files by name, the main one first, and those of modules last. */
  readonly weights: readonly (readonly [string, ModelSource])[];
  readonly files: Readonly<Record<string, ModelSource>>;
  /** The error of a directory without weights. */
  readonly missing?: AmbryError;
}

export function directoryParts(directory: ModelDirectory): DirectoryParts {
  const named = withoutSharedFolder(
    directory instanceof Map ? [...directory] : Object.entries(directory),
  );
  const weights = weightsAmong(named);
  const files: Record<string, ModelSource> = {};
  for (const [name, file] of named) {
    if (isSideFile(name) || indices.includes(name)) {
      files[name] = file;
    }
  }
  const ofModules = moduleWeightsAmong(named);
  if (weights.length > 0) {
    return { weights: [...weights, ...ofModules], files };
  }
  // A static encoder may be a module in a folder of its own.
  const main = ofModules.find(([path]) => staticModule.test(path));
  if (main) {
    return { weights: [[main[0].replace(staticModule, ''), main[1]]], files };
  }
  return { weights, files, missing: noWeights(named) };
}

const indices: readonly string[] = weightForms.map(({ index }) => index);

function weightsAmong(named: ReadonlyMap<string, ModelSource>): [string, ModelSource][] {
  for (const { whole, index, shard } of weightForms) {
    const file = named.get(whole);
    if (file !== undefined) {
      return [[whole, file]];
    }
    const shards = [...named].filter(([path]) => shard.test(path)).sort(byName);
    if (shards.length === 1 || (named.has(index) && shards.length > 0)) {
      return shards;
    }
  }
  const checkpoints = [...named].filter(([path]) => isCheckpoint(path));
  return checkpoints.length === 1 && !named.has('config.json') ? checkpoints : [];
}

const staticModule = /^\d+_StaticEmbedding\//;

/** The weights of each module, in the form that comes first. */
function moduleWeightsAmong(named: ReadonlyMap<string, ModelSource>): [string, ModelSource][] {
  const folders = new Set(
    [...named.keys()].filter(isModuleWeights).map((path) => inModule(path).folder),
  );
  return [...folders].sort().flatMap((folder) => {
    for (const { whole } of weightForms) {
      const name = `${folder}/${whole}`;
      const file = named.get(name);
      if (file !== undefined) {
        return [[name, file] satisfies [string, ModelSource]];
      }
    }
    return [];
  });
}

/** The checkpoint of llama2.c beside its tokenizer.bin. */
function isCheckpoint(path: string): boolean {
  return /^[^/]+\.bin$/.test(path) && path !== 'tokenizer.bin';
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** Dropped folders name their files with a leading folder, such as `all-MiniLM-L6-v2/config.json`. */
function withoutSharedFolder(
  entries: readonly (readonly [string, ModelSource])[],
): Map<string, ModelSource> {
  const first = entries[0]?.[0] ?? '';
  const folder = first.slice(0, first.indexOf('/') + 1);
  const shared = folder !== '' && entries.every(([path]) => path.startsWith(folder));
  return new Map(entries.map(([path, file]) => [shared ? path.slice(folder.length) : path, file]));
}

function noWeights(named: ReadonlyMap<string, ModelSource>): AmbryError {
  for (const [name, why] of Object.entries(otherWeights)) {
    if (named.has(name)) {
      return new AmbryError('Unsupported', `${name}: ${why}.`, { path: name });
    }
  }
  const message = `The directory has no ${weights}.`;
  return new AmbryError('NotFound', message, { path: weights });
}
