// The sources that a name at the hub stands for. Only what the name means is looked up; files are fetched by the jobs that
// read them.
import { AmbryError } from '../../base/errors.ts';
import type { JobOptions } from '../../rpc/types.ts';
import type { FetchOptions, ModelDirectory } from '../base/types.ts';
import {
  adapterConfig,
  hasModelTokenizer,
  isOfTokenizer,
  isSideFile,
  isTokenizerSetting,
} from '../directory/model-files.ts';
import { firstFolder, mostListBytes } from '../directory/module-list.ts';
import { smallFile } from '../http/small-file.ts';
import { chooseFiles, fileAt, type HubChoice, listOfModules, several } from './choose-files.ts';
import { type HubName, parseHubName } from './hub-name.ts';
import type { HubUrl } from './hub-url.ts';
import { type HubFile, type HubList, listFiles } from './list-files.ts';
import { namedByIndex, placeOf } from './sharded-choice.ts';

type Options = JobOptions & Pick<FetchOptions, 'hub' | 'stallTimeout' | 'followBase'>;

interface HubModel extends HubChoice {
  readonly list: HubList;
}

/** The files of the model that the name means. `seen` are the repositories without weights that led to this one. */
export async function hubFiles(
  parsed: HubName,
  options: Options,
  seen: readonly string[] = [],
): Promise<HubModel> {
  const list = await listFiles(parsed, options).catch(async (error: unknown) => {
    const { ofBase } = await import('./base-model.ts');
    throw ofBase(error, seen.at(-1), parsed.repository);
  });
  const modules = listOfModules(list, parsed.path);
  const first = modules ? await firstFolderIn(modules, options) : '';
  // Who follows the base wants its weights, and not ONNX's.
  const how = { first, onnx: !options.followBase };
  const chosen = chosenOrRefusal(list, parsed.path, how);
  if (chosen instanceof AmbryError) {
    const { baseToFollow } = await import('./base-model.ts');
    const base = await baseToFollow(list, chosen, seen, options);
    return hubFiles(parseHubName(`hf:${base}`), options, [...seen, list.repository]);
  }
  const choice = await namedByIndex(chosen, options);
  const { note } = choice;
  if (note) {
    options.onProgress?.({ phase: 'download', loaded: 0, total: 0, cached: false, note });
  }
  return { ...choice, list };
}

/** The choice, or the error of a whole repository that has no model. */
function chosenOrRefusal(
  list: HubList,
  path: string | undefined,
  how: Parameters<typeof chooseFiles>[2],
): HubChoice | AmbryError {
  try {
    return chooseFiles(list, path, how);
  } catch (error) {
    if (path === undefined && error instanceof AmbryError && error.code === 'NotFound') {
      return error;
    }
    throw error;
  }
}

async function firstFolderIn(modules: HubFile, options: Options): Promise<string> {
  return firstFolder(await smallFile(placeOf(modules), mostListBytes, options));
}

/** Files of the repository by their paths, whatever they hold. */
export async function hubNamed(
  name: HubName,
  paths: readonly string[],
  options: Options,
): Promise<{ readonly list: HubList; readonly files: readonly HubFile[] }> {
  const list = await listFiles(name, options);
  return { list, files: paths.map((path) => fileAt(list, path)) };
}

/** One file, or the directory of the model. */
async function hubModel(name: string | URL, options: Options): Promise<HubUrl | ModelDirectory> {
  const { files, isDirectory, list, weights } = await hubFiles(parseHubName(String(name)), options);
  if (isDirectory) {
    return new Map([...files].map(([path, { url }]) => [path, url]));
  }
  return onlyFile(list, files, weights).url;
}

/** One file: the one that is named, or the one with the model's weights. */
async function hubFile(name: string | URL, options: Options): Promise<HubUrl> {
  const parsed = parseHubName(String(name));
  const { files, list, weights } = await hubFiles(parsed, options);
  const named = list.files.find((file) => file.path === parsed.path);
  return (named ?? onlyFile(list, files, weights)).url;
}

/** The tokenizer of the model: the file that is named, the files of a directory with a tokenizer, or the model's file. */
async function hubTokenizer(
  name: string | URL,
  options: Options,
): Promise<HubUrl | ModelDirectory> {
  const parsed = parseHubName(String(name));
  const list = await listFiles(parsed, options);
  const named = list.files.find((file) => file.path === parsed.path);
  if (named) {
    return named.url;
  }
  const folder = parsed.path === undefined ? '' : `${parsed.path}/`;
  const beside = list.files
    .filter(({ path }) => path.startsWith(folder))
    .map((file) => [file.path.slice(folder.length), file.url] as const)
    .filter(([path]) => isOfTokenizer(path) || isSideFile(path));
  const names = beside.map(([path]) => path);
  const isAlone = names.some((path) => isOfTokenizer(path) && !isTokenizerSetting(path));
  if (isAlone || hasModelTokenizer(names)) {
    return new Map(beside);
  }
  const { files, weights } = chooseFiles(list, parsed.path);
  return onlyFile(list, files, weights).url;
}

/** The file that is named, with what belongs to it, or the files of the directory. */
async function hubAdapter(name: string | URL, options: Options): Promise<HubUrl | ModelDirectory> {
  const parsed = parseHubName(String(name));
  const list = await listFiles(parsed, options);
  const named = list.files.find((file) => file.path === parsed.path);
  if (named && !named.path.endsWith('.safetensors')) {
    return named.url;
  }
  const folder = named ? named.path.replace(/[^/]*$/, '') : parsed.path ? `${parsed.path}/` : '';
  const beside = list.files
    .filter(({ path }) => path.startsWith(folder) && !path.slice(folder.length).includes('/'))
    .map((file) => [file.path.slice(folder.length), file.url] as const);
  if (beside.length === 0) {
    fileAt(list, parsed.path ?? adapterConfig);
  }
  return new Map(beside);
}

/** What a name may be looked up for. */
export interface FoundAtHub {
  readonly file: HubUrl;
  readonly tokenizer: HubUrl | ModelDirectory;
  readonly model: HubUrl | ModelDirectory;
  readonly adapter: HubUrl | ModelDirectory;
}

export const lookUp: {
  readonly [K in keyof FoundAtHub]: (
    name: string | URL,
    options: Options,
  ) => Promise<FoundAtHub[K]>;
} = { file: hubFile, tokenizer: hubTokenizer, model: hubModel, adapter: hubAdapter };

function onlyFile(
  list: HubList,
  files: ReadonlyMap<string, HubFile>,
  weights: readonly string[],
): HubFile {
  const found = weights.map((path) => files.get(path)).filter((file) => file !== undefined);
  const [file] = found;
  if (file && found.length === 1) {
    return file;
  }
  throw several(list, 'weight', found);
}
