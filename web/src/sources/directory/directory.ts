// Selects the files of a Hugging Face directory that a conversion needs.
import { AmbryError } from '../../base/errors.ts';
import type { ModelDirectory, ModelSource } from '../base/types.ts';
import {
  inModule,
  isCheckpoint,
  isMainWeights,
  isModuleWeights,
  isSideFile,
  readme,
  type SideFile,
  tokenLinears,
  weightForms,
  weights,
} from './model-files.ts';
import { foldersInside, modelsInside } from './models-inside.ts';
import { firstFolder, isRouted, moduleFolders } from './module-list.ts';
import { nameInFolder, onnxModels } from './onnx-files.ts';
import { isIrrelevant, otherWeightsAmong } from './other-files.ts';

export interface DirectoryParts {
  /** The weight files by name, the main one first, and those of modules last. */
  readonly weights: readonly (readonly [string, ModelSource])[];
  readonly files: Readonly<Record<string, ModelSource>>;
  /** The error of a directory without weights. */
  readonly missing?: AmbryError;
  /** The files that are not read and may matter; folders end with a slash. */
  readonly unread: readonly string[];
}

/** Without modules.json, `list`, the folders of modules are known by their usual names, such as `2_Dense`. */
export function directoryParts(directory: ModelDirectory, list?: Uint8Array): DirectoryParts {
  const named = namedIn(directory);
  const folders = moduleFolders(list);
  const files: Record<string, ModelSource> = {};
  for (const [name, file] of named) {
    if (name === readme && named.has('modules.json' satisfies SideFile)) {
      continue;
    }
    if (isSideFile(name, folders) || indices.includes(name)) {
      files[name] = file;
    }
  }
  const first = list && !isRouted(list) ? firstFolder(list) : usualFirstFolder(named);
  const inFirst = filesIn(named, first);
  const weights = weightsAmong(inFirst);
  for (const index of indices) {
    const file = inFirst.get(index);
    if (file !== undefined) {
      files[index] = file;
    }
  }
  const ofModules = moduleWeightsAmong(named, folders).filter(
    ([name]) => first === '' || !name.startsWith(`${first}/`),
  );
  for (const name of tokenLinears) {
    const file = named.get(name);
    if (file !== undefined) {
      ofModules.push([name, file]);
    }
  }
  const used = new Set([
    ...Object.values(files),
    ...[...weights, ...ofModules].map(([, file]) => file),
  ]);
  const unread = unreadAmong(named, used, folders);
  const missing = weights.length === 0 ? { missing: noWeights(named) } : {};
  return {
    weights: weights.length > 0 ? [...weights, ...ofModules] : [],
    files,
    unread,
    ...missing,
  };
}

/** The files of a directory by their paths in it. */
export function namedIn(directory: ModelDirectory): Map<string, ModelSource> {
  return withoutSharedFolder(directory instanceof Map ? [...directory] : Object.entries(directory));
}

/** The folder of the first module by its usual name, if the directory itself has no weights. */
function usualFirstFolder(named: ReadonlyMap<string, ModelSource>): string {
  if (weightsAmong(named).length > 0) {
    return '';
  }
  const path = [...named.keys()].find((name) =>
    /^(document_)?\d+_(StaticEmbedding|(MLM)?Transformer)\//.test(name),
  );
  return path?.replace(/\/.*$/, '') ?? '';
}

/** The files of a folder by their names in it; those of the whole directory for an empty name. */
function filesIn(
  named: ReadonlyMap<string, ModelSource>,
  folder: string,
): Map<string, ModelSource> {
  if (folder === '') {
    return new Map(named);
  }
  const inside = [...named].filter(([path]) => path.startsWith(`${folder}/`));
  return new Map(inside.map(([path, file]) => [path.slice(folder.length + 1), file]));
}

/** The files that are neither read nor known to matter to nobody. Files of another folder than a module's are named by the
 *  folder. */
function unreadAmong(
  named: ReadonlyMap<string, ModelSource>,
  used: ReadonlySet<ModelSource>,
  folders: readonly string[],
): readonly string[] {
  const nameOf = (path: string) => inModule(path, folders).name;
  const paths = [...named].flatMap(([path, file]) => {
    const isOther = isIrrelevant(path) || isMainWeights(nameOf(path) || path);
    return used.has(file) || isOther ? [] : [path];
  });
  return [...new Set(paths.map((path) => (nameOf(path) ? path : path.replace(/\/.*$/, '/'))))];
}

const indices: readonly string[] = weightForms.map(({ index }) => index);

function weightsAmong(named: ReadonlyMap<string, ModelSource>): [string, ModelSource][] {
  for (const { whole, index, shard } of weightForms) {
    const file = named.get(whole);
    if (file !== undefined) {
      return [[whole, file]];
    }
    const shards = [...named].filter(([path]) => shard.test(path)).sort(byName);
    if (shards.length === 1 || named.has(index)) {
      return shards;
    }
  }
  const [onnx] = onnxModels([...named.keys()]);
  if (onnx) {
    return [onnx.model, ...onnx.data].map((path) => [
      nameInFolder(path),
      named.get(path) as ModelSource,
    ]);
  }
  const checkpoints = [...named].filter(([path]) => isCheckpoint(path));
  return checkpoints.length === 1 && !named.has('config.json') ? checkpoints : [];
}

/** The weights of each module, in the form that comes first. */
function moduleWeightsAmong(
  named: ReadonlyMap<string, ModelSource>,
  folders: readonly string[],
): [string, ModelSource][] {
  const found = new Set(
    [...named.keys()]
      .filter((path) => isModuleWeights(path, folders))
      .map((path) => inModule(path, folders).folder),
  );
  return [...found].sort().flatMap((folder) => {
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

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** Dropped folders name their files with a leading folder, such as `all-MiniLM-L6-v2/config.json`. */
export function withoutSharedFolder(
  entries: readonly (readonly [string, ModelSource])[],
): Map<string, ModelSource> {
  const first = entries[0]?.[0] ?? '';
  const folder = first.slice(0, first.indexOf('/') + 1);
  const shared = folder !== '' && entries.every(([path]) => path.startsWith(folder));
  return new Map(entries.map(([path, file]) => [shared ? path.slice(folder.length) : path, file]));
}

function noWeights(named: ReadonlyMap<string, ModelSource>): AmbryError {
  const alone = modelsInside(named);
  if (alone) {
    return alone;
  }
  const other = otherWeightsAmong([...named.keys()]);
  if (other) {
    return new AmbryError('Unsupported', `${other.path}: ${other.why}.`, { path: other.path });
  }
  const message = `The directory has no ${weights}.${foldersInside(named)}`;
  return new AmbryError('NotFound', message, { path: weights });
}
