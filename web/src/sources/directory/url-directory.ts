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
  isModuleWeights,
  isSideFile,
  type SideFile,
  sideFiles,
  tokenizerFiles,
  tokenizerParts,
  tokenizerSettings,
  usualTemplates,
  weightForms,
} from './model-files.ts';
import { jsonIn, listedModules, staticKind, weightFolders } from './module-list.ts';
import { filesInIndex } from './weight-index.ts';

const config = 'config.json' satisfies SideFile;
const modules = 'modules.json' satisfies SideFile;
const tokenizer = 'tokenizer.json' satisfies SideFile;
/** Other names of the file with the settings of the Transformer module. */
const sentenceFile = 'sentence_bert_config.json' satisfies SideFile;
const sentenceFiles = sideFiles.filter(
  (name) => /^sentence_.*_config\.json$/.test(name) && name !== sentenceFile,
);
const template = 'chat_template.jinja' satisfies SideFile;
/** A file of ColBERT's own directories. */
const artifact = 'artifact.metadata' satisfies SideFile;
/** A file of llama2.c, whose models are no directories, and one that matters only where there is no model. */
const notHere: readonly string[] = [checkpointTokenizer, adapterConfig];

/** The small files as bytes, and the weights as addresses. Throws if there is no config.json. */
export async function directoryAtUrl(
  base: string,
  options: JobOptions & FetchOptions,
): Promise<Map<string, ModelSource>> {
  const server = new Directory(base, options);
  const found: Found = new Map();
  // The model's type decides whether anything else is of use.
  // Only a static encoder of sentence-transformers has none.
  await take(server, found, [modules]);
  const isStatic = listedModules(bytesOf(found, modules))[0]?.kind === staticKind;
  if (isStatic) {
    await take(server, found, [config]);
  } else {
    found.set(config, await server.require(config).catch((error) => server.refuse(error)));
  }
  await takeSmallFiles(server, found);
  for (const [name, file] of await server.weights()) {
    found.set(name, file);
  }
  for (const [name, file] of await server.moduleWeights(bytesOf(found, modules))) {
    found.set(name, file);
  }
  return found;
}

type Found = Map<string, ModelSource>;

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
  const others = [...sideFiles, ...moduleFiles(bytesOf(found, modules))];
  const wanted = new Set(others.filter((name) => !found.has(name) && !notHere.includes(name)));
  for (const name of [...tokenizerParts, ...sentenceFiles]) {
    wanted.delete(name);
  }
  if (!isColbert(bytesOf(found, config))) {
    wanted.delete(artifact);
  }
  await take(server, found, [...wanted]);
  if (!found.has(tokenizer)) {
    await take(server, found, tokenizerParts);
  }
  if (found.has(modules) && !found.has(sentenceFile)) {
    await take(server, found, sentenceFiles);
  }
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
  }
  if (hasModelTokenizer(found.keys())) {
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
  return listedModules(list)
    .flatMap(({ kind, folder }) =>
      kind === staticKind ? [`${folder}/${tokenizer}`] : [`${folder}/${config}`],
    )
    .filter(isSideFile);
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

  /** The weights in the form that comes first in `weightForms`. None if there are none. */
  async weights(): Promise<[string, ModelSource][]> {
    for (const { whole, index } of weightForms) {
      if (await this.has(whole)) {
        return [[whole, this.url(whole)]];
      }
      const list = await this.read(index);
      if (list) {
        return [[index, list], ...this.#shards(list)];
      }
    }
    return [];
  }

  /** The weights of the modules that have some, each in the form that comes first. */
  async moduleWeights(list: Uint8Array | undefined): Promise<[string, ModelSource][]> {
    const found: [string, ModelSource][] = [];
    for (const folder of weightFolders(list)) {
      const names = weightForms.map(({ whole }) => `${folder}/${whole}`).filter(isModuleWeights);
      for (const name of names) {
        if (!(await this.has(name))) {
          continue;
        }
        found.push([name, this.url(name)]);
        break;
      }
    }
    return found;
  }

  #shards(list: Uint8Array): [string, ModelSource][] {
    return [...(filesInIndex(list) ?? [])].map((name) => [name, this.url(name)]);
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
