// Finds the tokenizer in a directory, and the small files beside it that say more of it. No weights are fetched.
import { AmbryError } from '../base/errors.ts';
import type { Platform } from '../platform/platform.ts';
import type { JobOptions } from '../rpc/types.ts';
import type { FetchOptions, ModelDirectory, ModelSource } from '../sources/base/types.ts';
import { withoutSharedFolder } from '../sources/directory/directory.ts';
import {
  hasModelTokenizer,
  isTokenizerPart,
  isTokenizerSetting,
  modelTokenizers,
  type SideFile,
  smallFilesOf,
  tokenizerFiles,
} from '../sources/directory/model-files.ts';
import { modelsInside } from '../sources/directory/models-inside.ts';
import { moduleFolders } from '../sources/directory/module-list.ts';
import { fromHub, isDirectory, isSplit } from '../sources/wire-source.ts';
import type { TokenizerFileOptions } from '../tokenizer/types.ts';

type Named = readonly [name: string, file: ModelSource];

/** A file that is a tokenizer by itself. */
export interface OneFile {
  /** In the directory. Empty for a file that the caller gave by itself. */
  readonly name: string;
  readonly file: ModelSource | ModelDirectory;
  readonly beside: readonly Named[];
}

/** The small files of a directory, which say together what the tokenizer is. */
interface FilesOfModel {
  readonly small: readonly Named[];
}

type TokenizerFiles = OneFile | FilesOfModel;

type Options = JobOptions & FetchOptions & Pick<TokenizerFileOptions, 'encoding'>;

export async function tokenizerFilesOf(
  platform: Platform,
  source: ModelSource | ModelDirectory,
  options: Options,
): Promise<TokenizerFiles> {
  const given = await fromHub(source, options, 'tokenizer');
  if (isDirectory(given)) {
    return isSplit(given) ? alone(given) : chosen(entriesOf(given), options);
  }
  const place = placeOf(platform, given);
  if (place === undefined || !platform.isDirectory(place)) {
    return alone(given);
  }
  if (place.kind === 'url') {
    const { tokenizerAtUrl } = await import('../sources/directory/url-directory.ts');
    return chosen(await tokenizerAtUrl(place.url, options), options);
  }
  const found = await platform.directoryAt(place);
  return chosen(found ? entriesOf(found) : [], options);
}

function placeOf(platform: Platform, source: ModelSource) {
  if (typeof source === 'string' || (source instanceof URL && !('hub' in source))) {
    return platform.locate(source);
  }
  const { path } = (source ?? {}) as { readonly path?: unknown };
  return typeof path === 'string' ? ({ kind: 'path', path } as const) : undefined;
}

function alone(file: ModelSource | ModelDirectory): OneFile {
  return { name: '', file, beside: [] };
}

function entriesOf(directory: ModelDirectory): Named[] {
  return directory instanceof Map ? [...directory] : Object.entries(directory);
}

function chosen(entries: Iterable<Named>, { encoding }: Options): TokenizerFiles {
  const named = withoutSharedFolder([...entries]);
  const name = [
    ...tokenizerFiles.filter((file) => named.has(file)),
    ...[...named.keys()].filter((file) => /^[^/]+\.tiktoken$/.test(file)),
  ].at(0);
  // Only a file of tiktoken is read with an encoding, and it is a tokenizer by itself.
  if (encoding === undefined && isOfModel(named, name)) {
    return { small: smallFiles(named) };
  }
  const file = name === undefined ? undefined : named.get(name);
  if (name === undefined || file === undefined) {
    // Tokenizers are opened from models, too.
    const models = modelsInside(named);
    if (models) {
      throw models;
    }
    const message = `The directory has no tokenizer: none of ${[...new Set([...tokenizerFiles, ...modelTokenizers])].join(', ')} and *.tiktoken. Give the file of a tokenizer, or of a model that has one.`;
    throw new AmbryError('NotFound', message, { path: 'source' });
  }
  return { name, file, beside: [...named].filter(([path]) => isTokenizerSetting(path)) };
}

/** Whether the files of the tokenizer are read together, as `open` reads them: beside a model, and where no file is a
 *  tokenizer by itself, or others say more of it. `first` is the file that is a tokenizer by itself. */
function isOfModel(named: ReadonlyMap<string, ModelSource>, first: string | undefined): boolean {
  const stating: readonly SideFile[] = ['config.json', 'modules.json'];
  const more: readonly SideFile[] =
    first === 'tokenizer.model' ? ['added_tokens.json', 'tokenizer_config.json'] : [];
  const isAlone = first !== undefined && ![...stating, ...more].some((name) => named.has(name));
  return !isAlone && hasModelTokenizer(named.keys(), foldersIn(named));
}

/** The folders that modules.json names, if it was read. */
function foldersIn(named: ReadonlyMap<string, ModelSource>): string[] {
  const list = named.get('modules.json' satisfies SideFile);
  return moduleFolders(list instanceof Uint8Array ? list : undefined);
}

/** A tokenizer.json is read without its parts, of which some are large. */
function smallFiles(named: ReadonlyMap<string, ModelSource>): Named[] {
  const isWhole = named.has('tokenizer.json' satisfies SideFile);
  return smallFilesOf(named, foldersIn(named)).filter(
    ([name]) => !(isWhole && isTokenizerPart(name)),
  );
}
