// The files of a model directory at an address that ends with a slash. Small files are fetched by name, and of the
// weights only the address is found out. Nothing outside of this directory is asked for.
import { AmbryError } from '../../base/errors.ts';
import type { JobOptions } from '../../rpc/types.ts';
import { RetryPolicy } from '../base/retry-policy.ts';
import type { FetchOptions, ModelSource } from '../base/types.ts';
import { Missing } from '../http/error.ts';
import { openHttp } from '../http/http.ts';
import { adapterError } from './adapter.ts';
import {
  adapterConfig,
  checkpointTokenizer,
  hasModelTokenizer,
  readme,
  type SideFile,
  sideFiles,
  sparseLinear,
  tokenizerFiles,
  tokenizerParts,
  tokenizerSettings,
  tokenLinears,
  usualTemplates,
  weightForms,
} from './model-files.ts';
import {
  denseFolders,
  firstFolder,
  isRouted,
  jsonIn,
  listedModules,
  moduleFolders,
  routedModules,
  staticKind,
  staticQueries,
} from './module-list.ts';
import { rootsOf } from './onnx-files.ts';
import { filesInIndex } from './weight-index.ts';

const config = 'config.json' satisfies SideFile;
const modules = 'modules.json' satisfies SideFile;
const tokenizer = 'tokenizer.json' satisfies SideFile;
/** The kind of the first module, unless modules.json names another. */
const transformer = 'Transformer';
/** Other names of the file with the settings of the Transformer module. */
const sentenceFile = 'sentence_bert_config.json' satisfies SideFile;
const sentenceFiles = sideFiles.filter(
  (name) => /^sentence_.*_config\.json$/.test(name) && name !== sentenceFile,
);
const template = 'chat_template.jinja' satisfies SideFile;
/** A file of ColBERT's own directories. */
const artifact = 'artifact.metadata' satisfies SideFile;
/** The file of a router, and that with the fixed weights of a sparse encoder's queries. */
const routerFile = 'router_config.json' satisfies SideFile;
const fixedWeights = 'idf.json' satisfies SideFile;
const queryTokenizer: readonly SideFile[] = ['tokenizer_config.json', 'special_tokens_map.json'];
/** Files that are of the whole chain of modules, wherever the first of these lies. */
const ofAllModules: readonly SideFile[] = [
  modules,
  '1_Pooling/config.json',
  'config_sentence_transformers.json',
];
/** A file of llama2.c, whose models are no directories, and one that matters only where there is no model. */
const notHere: readonly string[] = [
  checkpointTokenizer,
  adapterConfig,
  readme,
  routerFile,
  fixedWeights,
];

/** The small files as bytes, and the weights as addresses. Throws if there is no config.json. `onnx` is the file with the
 *  weights, where the caller named one. */
export async function directoryAtUrl(
  base: string,
  options: JobOptions & FetchOptions,
  onnx?: string,
): Promise<Map<string, ModelSource>> {
  const server = new Directory(base, options);
  const found: Found = new Map();
  await take(server, found, [modules]);
  const list = bytesOf(found, modules);
  const router = isRouted(list) ? await routerOf(server, found) : undefined;
  const own = inFirst(found, config);
  // The model's type decides whether anything else is of use. Where the list begins with another module, the core says
  // what is wrong with it, unless it is a static encoder, which has none.
  const kind = listedModules(list)[0]?.kind ?? transformer;
  if (kind === transformer) {
    found.set(own, await server.require(own).catch((error) => server.refuse(error)));
  } else {
    await take(server, found, [own]);
  }
  await takeSmallFiles(server, found);
  if (list === undefined) {
    await take(server, found, [readme]);
  }
  const weights = onnx
    ? await server.onnx([onnx])
    : await server.weights((name) => inFirst(found, name));
  for (const [name, file] of weights) {
    found.set(name, file);
  }
  for (const [name, file] of await server.denseWeights(list, router)) {
    found.set(name, file);
  }
  if (isForSparse(options)) {
    await take(server, found, [fixedWeights]);
    await takeLinears(server, found, [sparseLinear]);
  } else if (mayHaveLinears(options, bytesOf(found, own))) {
    await takeLinears(server, found, tokenLinears);
  }
  return found;
}

/** The files around an ONNX file at an address. Undefined if it has no config.json beside or above it. */
export async function directoryOfOnnx(
  { url }: { readonly url: string },
  options: JobOptions & FetchOptions,
): Promise<Map<string, ModelSource> | undefined> {
  const { pathname } = new URL(url);
  for (const root of rootsOf(pathname)) {
    const base = new URL(url);
    base.pathname = root;
    if (await new Directory(base.href, options).read(config)) {
      return directoryAtUrl(base.href, options, decodeURIComponent(pathname.slice(root.length)));
    }
  }
  return undefined;
}

type Found = Map<string, ModelSource>;

/** The file that names the modules, with the small files in the folders of these. */
async function routerOf(server: Directory, found: Found): Promise<Uint8Array | undefined> {
  await take(server, found, [routerFile]);
  const router = bytesOf(found, routerFile);
  const inFolders = routedModules(router).filter(({ folder }) => folder !== '');
  const names = inFolders.flatMap(({ kind, folder }) => {
    // The core compares the tokenizer of queries with that of documents.
    const files = kind === staticQueries ? [config, tokenizer, ...queryTokenizer] : [config];
    return files.map((name) => `${folder}/${name}`);
  });
  await take(server, found, [fixedWeights, ...names]);
  return router;
}

/** Whether the caller asks for a sparse encoder, by the options of `open` or of `convert`. */
function isForSparse(options: object): boolean {
  const { kind, head } = options as { readonly kind?: unknown; readonly head?: unknown };
  return kind === 'sparseEncoder' || head === 'sparseEncoder';
}

/** Whether the model may be BGE-M3, by its type. No server is asked for the heads of other models. */
function mayHaveLinears(options: object, ownConfig: Uint8Array | undefined): boolean {
  const { head } = options as { readonly head?: unknown };
  return head === undefined && new TextDecoder().decode(ownConfig).includes('"xlm-roberta"');
}

/** Takes the heads for tokens, up to the first that is missing. */
async function takeLinears(
  server: Directory,
  found: Found,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    if (!(await server.has(name))) {
      return;
    }
    found.set(name, server.url(name));
  }
}

/** The path of a file of the model itself, which may lie in a folder that modules.json names. */
function inFirst(found: Found, name: string): string {
  const folder = firstFolder(bytesOf(found, modules), bytesOf(found, routerFile));
  return folder === '' ? name : `${folder}/${name}`;
}

/** The small files that are fetched are bytes. */
function bytesOf(found: Found, name: string): Uint8Array | undefined {
  return found.get(name) as Uint8Array | undefined;
}

async function take(server: Directory, found: Found, names: readonly string[]): Promise<void> {
  const read = names.map(async (name) => [name, await server.read(name)] as const);
  for (const [name, bytes] of await Promise.all(read)) {
    if (bytes) {
      found.set(name, bytes);
    }
  }
}

/** Takes what a model may have besides config.json and modules.json. */
async function takeSmallFiles(server: Directory, found: Found): Promise<void> {
  const list = bytesOf(found, modules);
  const own = (name: SideFile) => (ofAllModules.includes(name) ? name : inFirst(found, name));
  const later: readonly string[] = [...notHere, ...tokenizerParts, ...sentenceFiles];
  const isWanted = (name: SideFile) =>
    name === artifact ? isColbert(bytesOf(found, config)) : !later.includes(name);
  const wanted = new Set([...sideFiles.filter(isWanted).map(own), ...moduleFiles(list)]);
  await take(
    server,
    found,
    [...wanted].filter((name) => !found.has(name)),
  );
  if (!found.has(own(tokenizer))) {
    await take(server, found, tokenizerParts.map(own));
  }
  if (found.has(modules) && !found.has(own(sentenceFile))) {
    await take(server, found, sentenceFiles.map(own));
  }
  await takeTemplates(server, found);
}

/** Templates with names lie beside a default. */
async function takeTemplates(server: Directory, found: Found): Promise<void> {
  if (found.has(template)) {
    await take(server, found, usualTemplates);
  }
}

/** The small files of a model's directory. Without a model, the first file that is a tokenizer by itself, and what says more
 *  of it. */
export async function tokenizerAtUrl(
  base: string,
  options: JobOptions & FetchOptions,
): Promise<Found> {
  const server = new Directory(base, options);
  const found: Found = new Map();
  await take(server, found, [modules, config]);
  if (found.size > 0) {
    await takeSmallFiles(server, found);
  } else {
    await take(server, found, [...tokenizerSettings, 'added_tokens.json' satisfies SideFile]);
    await takeTemplates(server, found);
  }
  if (hasModelTokenizer(found.keys(), moduleFolders(bytesOf(found, modules)))) {
    return found;
  }
  for (const name of tokenizerFiles) {
    if (await server.has(name)) {
      return found.set(name, server.url(name));
    }
  }
  await take(server, found, tokenizerParts);
  return found;
}

/** Whether config.json names ColBERT's class. */
function isColbert(bytes: Uint8Array | undefined): boolean {
  const { architectures } = ((bytes && jsonIn(bytes)) ?? {}) as {
    readonly architectures?: unknown;
  };
  return Array.isArray(architectures) && architectures.includes('HF_ColBERT');
}

/** What modules.json says of files in other folders than the usual ones. */
function moduleFiles(list: Uint8Array | undefined): string[] {
  return listedModules(list).flatMap(({ kind, folder }) => {
    const name = kind === staticKind ? tokenizer : config;
    return folder === '' ? [] : [`${folder}/${name}`];
  });
}

class Directory {
  readonly #base: string;
  readonly #options: JobOptions & FetchOptions;
  readonly #signal: AbortSignal;

  constructor(base: string, options: JobOptions & FetchOptions) {
    this.#base = base;
    this.#options = options;
    this.#signal = options.signal ?? new AbortController().signal;
  }

  url(name: string): URL {
    const base = new URL(this.#base);
    // What follows a question mark belongs to every file, as a token does.
    const { search } = base;
    const file = new URL(name.split('/').map(encodeURIComponent).join('/'), base);
    file.search = search;
    return file;
  }

  /** The file, or undefined if the server does not have it. */
  async read(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return this.require(name).catch(unlessMissing);
  }

  async require(name: string): Promise<Uint8Array<ArrayBuffer>> {
    const source = await this.#open(name);
    try {
      const size = await source.measure();
      if (size > mostSmall) {
        throw tooLarge(name, size);
      }
      return new Uint8Array(await source.read(0, size));
    } finally {
      await source.close();
    }
  }

  /** Throws what is wrong with a directory that has no config.json. */
  async refuse(error: unknown): Promise<never> {
    const adapter = error instanceof Missing ? await this.read(adapterConfig) : undefined;
    throw adapter ? adapterError(adapter) : error;
  }

  /** The weights in the form that comes first in `weightForms`. None if there are none. `placeOf` says where they lie. */
  async weights(placeOf: (name: string) => string): Promise<[string, ModelSource][]> {
    for (const { whole, index } of weightForms) {
      const place = placeOf(whole);
      if (await this.has(place)) {
        return [this.#named(place)];
      }
      const list = await this.read(placeOf(index));
      if (list) {
        const shards = [...(filesInIndex(list) ?? [])].map(placeOf);
        return [[placeOf(index), list], ...shards.map((name) => this.#named(name))];
      }
    }
    return this.onnx(usualOnnx.map(placeOf));
  }

  /** The first of these ONNX files that the server has, and the files with its tensors. */
  async onnx(models: readonly string[]): Promise<[string, ModelSource][]> {
    for (const model of models) {
      if (!(await this.has(model))) {
        continue;
      }
      const found = [this.#named(model)];
      for (const ending of ['_data', '.data']) {
        if (await this.has(model + ending)) {
          found.push(this.#named(model + ending));
        }
      }
      return found;
    }
    return [];
  }

  /** The weights of the dense modules, each in the form that comes first. */
  async denseWeights(
    list: Uint8Array | undefined,
    router: Uint8Array | undefined,
  ): Promise<[string, ModelSource][]> {
    const found: [string, ModelSource][] = [];
    for (const folder of denseFolders(list, router)) {
      for (const name of weightForms.map(({ whole }) => `${folder}/${whole}`)) {
        if (!(await this.has(name))) {
          continue;
        }
        found.push([name, this.url(name)]);
        break;
      }
    }
    return found;
  }

  #named(name: string): [string, ModelSource] {
    return [name, this.url(name)];
  }

  async has(name: string): Promise<boolean> {
    const source = await this.#open(name).catch(unlessMissing);
    await source?.close();
    return source !== undefined;
  }

  #open(name: string) {
    const retryPolicy = new RetryPolicy({ stallMs: this.#options.stallTimeout });
    return openHttp(this.url(name).href, { signal: this.#signal, retryPolicy });
  }
}

/** A server that lists no files is asked for these only. */
const usualOnnx = ['onnx/model.onnx', 'model.onnx', 'onnx/model_quantized.onnx'];

/** More than any tokenizer has. */
const mostSmall = 256 << 20;

function tooLarge(name: string, size: number): AmbryError {
  const message = `${name} has ${size} bytes, more than the ${mostSmall} that such a file may have.`;
  return new AmbryError('LimitExceeded', message, { path: name });
}

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof Missing)) {
    throw error;
  }
}
