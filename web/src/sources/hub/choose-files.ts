// Chooses the files of a repository that a name means.

import { AmbryError } from '../../base/errors.ts';
import { isOnnx } from '../base/onnx-name.ts';
import {
  checkpointTokenizer,
  isWeights,
  pickled,
  weights as safetensors,
  shardIndex,
  weightForms,
} from '../directory/model-files.ts';
import {
  isOfOnnx,
  nameInFolder,
  type OnnxFiles,
  onnxFiles,
  onnxModels,
  rootsOf,
} from '../directory/onnx-files.ts';
import { type GgufModel, ggufModels, modelName, preferredGguf } from './gguf-files.ts';
import type { HubFile, HubList } from './list-files.ts';

/** A file that is a model by itself, or the files of a model by their paths in its directory. */
export interface HubChoice {
  readonly files: ReadonlyMap<string, HubFile>;
  /** The paths of the files with weights. */
  readonly weights: readonly string[];
  /** Whether other files than the first one with weights are needed. */
  readonly isDirectory: boolean;
  /** Set if there were others of the same kind: which one was chosen. */
  readonly note?: string;
}

type Place = 'before' | 'after';

/** How files are called that are models by themselves, in the order in which they are looked for: before safetensors and
 *  GGUF, or after them. */
const places: Readonly<Record<string, Place>> = {
  '.weights': 'before',
  '.amb': 'before',
  '.alt': 'before',
  '.fifu': 'before',
  '.ftz': 'after',
  '.bin': 'after',
  '.vec': 'after',
};

/** Files that end like a model and are none. */
const noModels = /^(tokenizer|training_args|optimizer|scheduler)\.bin$/;
const mostNamed = 20;

interface HowToChoose {
  /** The folder of the first module, where modules.json names one. */
  readonly first?: string;
  /** Whether a model may be ONNX that the caller does not name. */
  readonly onnx?: boolean;
}

export function chooseFiles(
  list: HubList,
  path: string | undefined,
  { first = '', onnx = true }: HowToChoose = {},
): HubChoice {
  const named = list.files.find((file) => file.path === path);
  if (named) {
    return namedChoice(list, named);
  }
  const { scope, files } = scopeOf(list, path);
  if (files.length > 0 || path === undefined) {
    return unnamedChoice(list, scope, files, first, onnx);
  }
  return single(path, fileAt(list, path));
}

function scopeOf(list: HubList, path: string | undefined) {
  const scope = path === undefined ? '' : `${path}/`;
  return { scope, files: list.files.filter((file) => file.path.startsWith(scope)) };
}

/** The modules.json of a directory that has no weights outside of folders. They are in the folder of the first module. */
export function listOfModules(list: HubList, path: string | undefined): HubFile | undefined {
  const { scope, files } = scopeOf(list, path);
  const beside = inFolder(files, scope);
  return [...beside.keys()].some(isWeights) ? undefined : beside.get('modules.json');
}

/** The file with this path. */
export function fileAt(list: HubList, path: string): HubFile {
  const found = list.files.find((file) => file.path === path);
  if (found) {
    return found;
  }
  throw refused('NotFound', list, `has no file ${JSON.stringify(path)}`, list.files);
}

/** The file that the caller named, and what belongs to it. */
function namedChoice(list: HubList, named: HubFile): HubChoice {
  const folder = named.path.slice(0, named.path.lastIndexOf('/') + 1);
  const name = named.path.slice(folder.length);
  const beside = inFolder(list.files, folder);
  const hasConfig = beside.has('config.json');
  const gguf = ggufModels(list.files).find((model) => model.name === modelName(named.path));
  if (gguf && gguf.files.length > 1) {
    return ggufChoice(gguf);
  }
  if (hasConfig && pickled.test(name)) {
    return { files: beside, weights: [name], isDirectory: true };
  }
  if (hasConfig && name.endsWith('.safetensors')) {
    return safetensorsChoice(beside, name, named);
  }
  if (isOnnx(name)) {
    return namedOnnx(list, named);
  }
  return isCheckpoint(beside, name) ? checkpointChoice(beside, name) : single(name, named);
}

function single(name: string, file: HubFile): HubChoice {
  return { files: new Map([[name, file]]), weights: [name], isDirectory: false };
}

function isCheckpoint(beside: ReadonlyMap<string, HubFile>, name: string): boolean {
  return name.endsWith('.bin') && beside.has(checkpointTokenizer) && !noModels.test(name);
}

/** The model of the repository, or of a folder of it. */
function unnamedChoice(
  list: HubList,
  scope: string,
  files: readonly HubFile[],
  first: string,
  onnx: boolean,
): HubChoice {
  const beside = inFolder(files, scope);
  const choice =
    ownChoice(list, beside, 'before') ??
    directoryChoice(list, beside) ??
    moduleChoice(list, beside, first) ??
    ggufAmong(list, files) ??
    pickledChoice(beside) ??
    ownChoice(list, beside, 'after') ??
    (onnx ? onnxChoice(list, beside) : undefined);
  if (choice) {
    return choice;
  }
  const where = scope === '' ? '' : ` in ${scope}`;
  throw refused('NotFound', list, `has no model${where} that Ambry opens`, files);
}

function inFolder(files: readonly HubFile[], folder: string): Map<string, HubFile> {
  const inside = files.filter(({ path }) => path.startsWith(folder));
  return new Map(inside.map((file) => [file.path.slice(folder.length), file]));
}

/** A file with the first of the extensions that any file has. If several have it, the caller must name one. */
function ownChoice(
  list: HubList,
  beside: ReadonlyMap<string, HubFile>,
  place: Place,
): HubChoice | undefined {
  for (const [extension, own] of Object.entries(places)) {
    if (own !== place) {
      continue;
    }
    const found = [...beside].filter(
      ([path]) => !path.includes('/') && !noModels.test(path) && endsWith(path, extension),
    );
    const [[name = '', file] = []] = found;
    if (found.length > 1) {
      throw several(
        list,
        extension,
        found.map(([, each]) => each),
      );
    }
    if (!file) {
      continue;
    }
    return isCheckpoint(beside, name) ? checkpointChoice(beside, name) : single(name, file);
  }
  return undefined;
}

function endsWith(path: string, extension: string): boolean {
  return path.toLowerCase().endsWith(extension);
}

/** A directory with safetensors. */
function directoryChoice(
  list: HubList,
  beside: ReadonlyMap<string, HubFile>,
): HubChoice | undefined {
  const found = [...beside].filter(([path]) => weightForms[0].shard.test(path));
  const [[name = '', file] = []] = found;
  if (!file) {
    return undefined;
  }
  const main = beside.get(safetensors);
  if (main) {
    return safetensorsChoice(beside, safetensors, main);
  }
  if (found.length === 1) {
    return safetensorsChoice(beside, name, file);
  }
  if (!beside.has(shardIndex)) {
    throw several(
      list,
      'safetensors',
      found.map(([, each]) => each),
    );
  }
  return { files: beside, weights: found.map(([path]) => path), isDirectory: true };
}

/** The directory whose weights are in the folder of its first module. */
function moduleChoice(
  list: HubList,
  beside: ReadonlyMap<string, HubFile>,
  first: string,
): HubChoice | undefined {
  const prefix = `${first}/`;
  const inside = [...beside].filter(([path]) => first !== '' && path.startsWith(prefix));
  const own = new Map(inside.map(([path, file]) => [path.slice(prefix.length), file]));
  const choice = directoryChoice(list, own) ?? pickledChoice(own);
  if (!choice) {
    return undefined;
  }
  const others = [...beside].filter(([path]) => !path.startsWith(prefix));
  const chosen = [...choice.files].map(([name, file]) => [prefix + name, file] as const);
  const weights = choice.weights.map((name) => prefix + name);
  return { files: new Map([...others, ...chosen]), weights, isDirectory: true };
}

/** The directory with this file as its only weights. A shard stays with the others. */
function safetensorsChoice(
  beside: ReadonlyMap<string, HubFile>,
  name: string,
  file: HubFile,
): HubChoice {
  const shards = [...beside.keys()].filter((path) => /^[^/]+-of-\d+\.safetensors$/.test(path));
  if (beside.has(shardIndex) && shards.includes(name)) {
    const others = [...beside].filter(([path]) => shards.includes(path) || !isWeights(path));
    return { files: new Map(others), weights: shards, isDirectory: true };
  }
  const files = new Map([...beside].filter(([path]) => !isWeights(path) && path !== shardIndex));
  files.set(safetensors, file);
  return { files, weights: [safetensors], isDirectory: true };
}

function ggufAmong(list: HubList, files: readonly HubFile[]): HubChoice | undefined {
  const models = ggufModels(files);
  if (models.length === 0) {
    return undefined;
  }
  const chosen = models.length === 1 ? models[0] : preferredGguf(models);
  if (!chosen) {
    throw several(
      list,
      'GGUF',
      files.filter(({ path }) => endsWith(path, '.gguf')),
    );
  }
  if (models.length === 1) {
    return ggufChoice(chosen);
  }
  const { path = '' } = chosen.files[0] ?? {};
  const note = `${list.repository} has ${models.length} GGUF models; ${path} is taken. To take another, name it: hf:${list.repository}/FILE.`;
  return { ...ggufChoice(chosen), note };
}

function ggufChoice({ files }: GgufModel): HubChoice {
  const named = files.map((file) => [file.path.replace(/^.*\//, ''), file] as const);
  return {
    files: new Map(named),
    weights: named.map(([name]) => name),
    isDirectory: files.length > 1,
  };
}

function pickledChoice(beside: ReadonlyMap<string, HubFile>): HubChoice | undefined {
  const weights = [...beside.keys()].filter((path) => pickled.test(path));
  return weights.length === 0 ? undefined : { files: new Map(beside), weights, isDirectory: true };
}

/** Models that take more memory than a page has are not taken if there is a smaller one. */
const mostOnnxBytes = 1 << 30;

/** The first of the ONNX models by the order of their types that is not too large, else the smallest. */
function onnxChoice(list: HubList, beside: ReadonlyMap<string, HubFile>): HubChoice | undefined {
  const models = beside.has('config.json') ? onnxModels([...beside.keys()]) : [];
  const bytesOf = ({ model, data }: OnnxFiles) =>
    [model, ...data].reduce((sum, name) => sum + (beside.get(name)?.size ?? 0), 0);
  const bySize = [...models].sort((a, b) => bytesOf(a) - bytesOf(b));
  const chosen = models.find((model) => bytesOf(model) <= mostOnnxBytes) ?? bySize[0];
  if (!chosen) {
    return undefined;
  }
  const choice = withOnnx(beside, chosen);
  if (models.length === 1) {
    return choice;
  }
  const { path = '' } = beside.get(chosen.model) ?? {};
  const note = `${list.repository} has ${models.length} ONNX models; ${path} is taken. To take another, name it: hf:${list.repository}/FILE.`;
  return { ...choice, note };
}

/** The directory around the ONNX file that the caller named. Without a config.json the file is alone. */
function namedOnnx(list: HubList, named: HubFile): HubChoice {
  for (const root of rootsOf(named.path)) {
    const beside = inFolder(list.files, root);
    if (beside.has('config.json')) {
      return withOnnx(beside, onnxFiles(named.path.slice(root.length), [...beside.keys()]));
    }
  }
  return single(nameInFolder(named.path), named);
}

/** The directory with this model in place of all others. */
function withOnnx(beside: ReadonlyMap<string, HubFile>, { model, data }: OnnxFiles): HubChoice {
  const own = [model, ...data];
  const isOther = (path: string) => isOfOnnx(path) || isWeights(path) || path === shardIndex;
  const files = [...beside].filter(([path]) => own.includes(path) || !isOther(path));
  return { files: new Map(files), weights: [model], isDirectory: true };
}

/** A checkpoint of llama2.c and its tokenizer. */
function checkpointChoice(beside: ReadonlyMap<string, HubFile>, name: string): HubChoice {
  const files = new Map([...beside].filter(([path]) => [name, checkpointTokenizer].includes(path)));
  return { files, weights: [name], isDirectory: true };
}

/** The error for a repository with several files of one kind. */
export function several(list: HubList, kind: string, files: readonly HubFile[]): AmbryError {
  return refused('BadValue', list, `has several ${kind} files, and none is named`, files);
}

function refused(
  code: 'BadValue' | 'NotFound',
  { repository, commit }: HubList,
  why: string,
  files: readonly HubFile[],
): AmbryError {
  const names = files.slice(0, mostNamed).map(({ path }) => path);
  const more = files.length > mostNamed ? ` and ${files.length - mostNamed} more` : '';
  const listed = names.length === 0 ? 'It has no files.' : `Its files: ${names.join(', ')}${more}.`;
  const message = `${repository} ${why} (commit ${commit.slice(0, 12)}). Name a file as hf:${repository}/FILE. ${listed}`;
  return new AmbryError(code, message, { path: 'source' });
}
