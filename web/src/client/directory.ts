// The parts of a Hugging Face directory that a conversion takes, out of all the files there are.
import { AmbryError } from '../errors.ts';
import type { ModelDirectory, ModelSource } from '../types.ts';

/** The small files beside the weights, by the paths that the core knows them by. */
export const kSideFiles = [
  'config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'special_tokens_map.json',
  'vocab.txt',
  'modules.json',
  '1_Pooling/config.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
] as const;

export const kWeights = 'model.safetensors';

/** Weights in forms that are not read, with what to do about each. */
export const kOtherWeights: Readonly<Record<string, string>> = {
  'model.safetensors.index.json':
    'the weights are split over several files; save the model with one (max_shard_size)',
  'pytorch_model.bin':
    'the weights are a pickle, which can run code; save the model with safe_serialization=True',
  'tf_model.h5': 'the weights are TensorFlow’s; save the model as safetensors',
  'flax_model.msgpack': 'the weights are Flax’s; save the model as safetensors',
};

export interface DirectoryParts {
  readonly weights: ModelSource;
  readonly files: Readonly<Record<string, ModelSource>>;
}

export function directoryParts(directory: ModelDirectory): DirectoryParts {
  const named = withoutSharedFolder(
    directory instanceof Map ? [...directory] : Object.entries(directory),
  );
  const weights = named.get(kWeights) ?? onlySafetensors(named);
  if (weights === undefined) throw noWeights(named);
  const files: Record<string, ModelSource> = {};
  for (const name of kSideFiles) {
    const file = named.get(name);
    if (file !== undefined) files[name] = file;
  }
  return { weights, files };
}

/** Dropped folders name their files `all-MiniLM-L6-v2/config.json`. */
function withoutSharedFolder(
  entries: readonly (readonly [string, ModelSource])[],
): Map<string, ModelSource> {
  const first = entries[0]?.[0] ?? '';
  const folder = first.slice(0, first.indexOf('/') + 1);
  const shared = folder !== '' && entries.every(([path]) => path.startsWith(folder));
  return new Map(entries.map(([path, file]) => [shared ? path.slice(folder.length) : path, file]));
}

function onlySafetensors(named: ReadonlyMap<string, ModelSource>): ModelSource | undefined {
  const found = [...named].filter(([path]) => /^[^/]+\.safetensors$/.test(path));
  return found.length === 1 ? found[0]?.[1] : undefined;
}

function noWeights(named: ReadonlyMap<string, ModelSource>): AmbryError {
  for (const [name, why] of Object.entries(kOtherWeights)) {
    if (named.has(name)) return new AmbryError('Unsupported', `${name}: ${why}.`, { path: name });
  }
  const message = `The directory has no ${kWeights}.`;
  return new AmbryError('NotFound', message, { path: kWeights });
}
