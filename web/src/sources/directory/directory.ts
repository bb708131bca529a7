// Selects the files of a Hugging Face directory that a conversion needs.
import { AmbryError } from '../../base/errors.ts';
import type { ModelDirectory, ModelSource } from '../base/types.ts';
import {
  inModule,
  isCheckpoint,
  isMainWeights,
  isModuleWeights,
  isSideFile,
  weightForms,
  weights,
} from './model-files.ts';
import { isIrrelevant, otherWeightsAmong } from './other-files.ts';

interface DirectoryParts {
  /** The weight files by name, the main one first, and those of modules last. */
  readonly weights: readonly (readonly [string, ModelSource])[];
  readonly files: Readonly<Record<string, ModelSource>>;
  /** The error of a directory without weights. */
  readonly missing?: AmbryError;
  /** The files that are not read and may matter; folders end with a slash. */
  readonly unread: readonly string[];
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
  const read = new Set([
    ...Object.keys(files),
    ...[...weights, ...ofModules].map(([name]) => name),
  ]);
  const unread = unreadAmong(named, read);
  if (weights.length > 0) {
    return { weights: [...weights, ...ofModules], files, unread };
  }
  // The first module may be in a folder of its own.
  const main = ofModules.find(([path]) => firstModule.test(path));
  if (main) {
    const others = ofModules.filter((one) => one !== main);
    return { weights: [[main[0].replace(firstModule, ''), main[1]], ...others], files, unread };
  }
  return { weights, files, missing: noWeights(named), unread };
}

/** The files that are neither read nor known to matter to nobody. Files of another folder than a module's are named by the
 *  folder. */
function unreadAmong(
  named: ReadonlyMap<string, ModelSource>,
  read: ReadonlySet<string>,
): readonly string[] {
  const paths = [...named.keys()].filter(
    (path) => !read.has(path) && !isIrrelevant(path) && !isMainWeights(path),
  );
  return [
    ...new Set(paths.map((path) => (inModule(path).name ? path : path.replace(/\/.*$/, '/')))),
  ];
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
  const checkpoints = [...named].filter(([path]) => isCheckpoint(path));
  return checkpoints.length === 1 && !named.has('config.json') ? checkpoints : [];
}

const firstModule = /^\d+_(StaticEmbedding|Transformer)\//;

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
  const other = otherWeightsAmong([...named.keys()]);
  if (other) {
    return new AmbryError('Unsupported', `${other.path}: ${other.why}.`, { path: other.path });
  }
  const message = `The directory has no ${weights}.`;
  return new AmbryError('NotFound', message, { path: weights });
}
