// The manifest: the only file of an index whose name stays. It names all others.
import { AmbryError } from 'ambry/terms';
import { type ChunkKind, type ChunkSet, chunkKinds } from './chunks.ts';
import { codeBits } from './codes.ts';
import { isFileName } from './file-name.ts';
import { checkLimit } from './limits.ts';
import type { VectorForm } from './lists.ts';

export const formatName = 'ambry-site-search';
export const formatVersion = 6;

export interface WordsInfo {
  /** The number of parts in each language, by code. */
  readonly parts: Readonly<Record<string, number>>;
  /** Stems that so many parts have that they say little, in each language. */
  readonly common: Readonly<Record<string, readonly string[]>>;
  /** The function words of each language, folded. They say nothing of what a query is about. */
  readonly little: Readonly<Record<string, readonly string[]>>;
}

export interface VectorsInfo extends VectorForm {
  /** The file of the centroids. Without it, they are in the start file: each search needs them, if words give its meaning. */
  readonly centroids?: string;
  /** The form of the centroids. Codes have the first numbers of vectors only. */
  readonly centroidForm: VectorForm;
  /** A search reads the nearest lists until they have so many rows. */
  readonly rowsRead: number;
  /** The share of the ten nearest parts whose texts it then reads, measured with headings. */
  readonly recall: number;
  /** The mean of the cosines of queries and parts of other pages, and their standard deviation. */
  readonly meanCosine: number;
  readonly deviation: number;
  /** A page with a lower cosine is not close to the query. */
  readonly closeFrom: number;
}

export interface ModelInfo {
  readonly name: string;
  readonly bytes: number;
  /** Where it is, from the folder of the index, if it is no file of the index. */
  readonly url?: string;
  /** The hash of a model that is elsewhere, in hexadecimal digits. */
  readonly sha256?: string;
}

/** Sets that only an index with meaning has. */
type OptionalKind = 'vectors' | 'related';
export type ChunkSets = Readonly<
  Record<Exclude<ChunkKind, OptionalKind>, ChunkSet> & Partial<Record<OptionalKind, ChunkSet>>
>;

export interface Manifest {
  readonly format: typeof formatName;
  readonly version: typeof formatVersion;
  /** Where the site is, from the folder of the index: `../` for `dist/search`. */
  readonly site: string;
  readonly pages: number;
  readonly parts: number;
  /** The file with the table of pages and the places of all chunks. */
  readonly start: string;
  /** What a search looks up. Each part has a chunk of `texts`, and each centroid one of `vectors`. */
  readonly sets: ChunkSets;
  readonly words: WordsInfo;
  /** The file of each filter. */
  readonly filters: Readonly<Record<string, string>>;
  /** Left out if the site is searched by words alone. */
  readonly vectors?: VectorsInfo;
  /** The model that gives a query its vector, unless the words of the index (`sets.related`) do. */
  readonly model?: ModelInfo;
}

// A field that is missing in a list is refused in every manifest, and tests find that.
const manifestNames: readonly (keyof Manifest)[] = [
  'format',
  'version',
  'site',
  'pages',
  'parts',
  'start',
  'sets',
  'words',
  'filters',
  'vectors',
  'model',
];
const setNames: readonly (keyof ChunkSet)[] = ['name', 'chunks', 'packBytes', 'longBytes'];
const wordsNames: readonly (keyof WordsInfo)[] = ['parts', 'common', 'little'];
const formNames: readonly (keyof VectorForm)[] = ['dim', 'bits'];
const vectorsNames: readonly (keyof VectorsInfo)[] = [
  ...formNames,
  'centroids',
  'centroidForm',
  'rowsRead',
  'recall',
  'meanCosine',
  'deviation',
  'closeFrom',
];
const modelNames: readonly (keyof ModelInfo)[] = ['name', 'bytes', 'url', 'sha256'];
/** Characters of a name in an error. Longer ones are cut. */
const mostCharacters = 100;

/** Checks a manifest that came from a server. Throws `BadValue` or `UnsupportedVersion` at the field. */
export function parseManifest(json: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    const message = 'The manifest of the search index is not JSON.';
    throw new AmbryError('BadValue', message, { path: 'manifest', cause });
  }
  const manifest = fields(value, 'manifest');
  if (manifest['format'] !== formatName) {
    throw wrong('manifest.format', `must be ${formatName}`);
  }
  if (manifest['version'] !== formatVersion) {
    const message = `The search index has version ${String(manifest['version'])}. This program reads version ${formatVersion}. Update ambry-site-search, or make the index again.`;
    throw new AmbryError('UnsupportedVersion', message, { path: 'manifest.version' });
  }
  onlyFields(manifest, manifestNames, 'manifest');
  address(manifest['site'], 'manifest.site');
  for (const name of ['pages', 'parts']) {
    count(manifest[name], `manifest.${name}`);
  }
  fileNameAt(manifest['start'], 'manifest.start');
  checkSets(fields(manifest['sets'], 'manifest.sets'), Number(manifest['parts']));
  checkWords(fields(manifest['words'], 'manifest.words'));
  for (const [name, file] of Object.entries(fields(manifest['filters'], 'manifest.filters'))) {
    fileNameAt(file, `manifest.filters.${name}`);
  }
  checkMeaning(manifest, fields(manifest['sets'], 'manifest.sets'));
  return value as Manifest;
}

/** An index has all that meaning needs, or nothing of it. */
function checkMeaning(
  { vectors, model }: Record<string, unknown>,
  { vectors: lists, related }: Record<string, unknown>,
): void {
  if (vectors === undefined) {
    for (const [path, value] of Object.entries({
      model,
      'sets.vectors': lists,
      'sets.related': related,
    })) {
      if (value !== undefined) {
        throw wrong(`manifest.${path}`, 'must not be there without manifest.vectors');
      }
    }
    return;
  }
  checkVectors(fields(vectors, 'manifest.vectors'));
  fields(lists, 'manifest.sets.vectors');
  // Either gives a query its vector.
  if (related === undefined) {
    checkModel(fields(model, 'manifest.model'));
  } else if (model !== undefined) {
    throw wrong('manifest.model', 'must not be there beside manifest.sets.related');
  }
}

function checkModel(model: Record<string, unknown>): void {
  onlyFields(model, modelNames, 'manifest.model');
  fileNameAt(model['name'], 'manifest.model.name');
  count(model['bytes'], 'manifest.model.bytes');
  checkPlace(model);
}

function checkSets(sets: Record<string, unknown>, parts: number): void {
  onlyFields(sets, chunkKinds, 'manifest.sets');
  for (const kind of chunkKinds) {
    const path = `manifest.sets.${kind}`;
    if ((kind === 'related' || kind === 'vectors') && sets[kind] === undefined) {
      continue;
    }
    const set = fields(sets[kind], path);
    onlyFields(set, setNames, path);
    fileNameAt(set['name'], `${path}.name`);
    for (const name of ['chunks', 'packBytes', 'longBytes']) {
      count(set[name], `${path}.${name}`);
    }
    if (set['packBytes'] === 0) {
      throw wrong(`${path}.packBytes`, 'must be above 0');
    }
    // This bounds the memory that a table of parts takes.
    if (kind === 'texts' && set['chunks'] !== parts) {
      throw wrong(`${path}.chunks`, 'must be the number of parts');
    }
  }
}

/** Where a model is that is no file of the index. */
function checkPlace({ url, sha256 }: Record<string, unknown>): void {
  if (url === undefined && sha256 === undefined) {
    return;
  }
  address(url, 'manifest.model.url');
  if (typeof sha256 === 'string' && /^[\da-f]{64}$/.test(sha256)) {
    return;
  }
  throw wrong('manifest.model.sha256', 'must be 64 hexadecimal digits');
}

function checkWords(words: Record<string, unknown>): void {
  onlyFields(words, wordsNames, 'manifest.words');
  const parts = fields(words['parts'], 'manifest.words.parts');
  checkLimit('languages', Object.keys(parts).length, 'manifest.words.parts');
  for (const [code, number] of Object.entries(parts)) {
    languageAt(code, 'manifest.words.parts');
    count(number, `manifest.words.parts.${code}`);
  }
  for (const name of ['common', 'little'] as const) {
    wordLists(words[name], `manifest.words.${name}`, parts);
  }
}

/** Lists of words by language. */
function wordLists(value: unknown, name: string, languages: object): void {
  for (const [code, words] of Object.entries(fields(value, name))) {
    languageAt(code, name);
    const path = `${name}.${code}`;
    if (!Object.hasOwn(languages, code)) {
      throw wrong(path, 'must be a language of manifest.words.parts');
    }
    const isTexts = list(words, path).every((word) => typeof word === 'string');
    if (!isTexts) {
      throw wrong(path, 'must be a list of texts');
    }
  }
}

/** Programs for words take the code as it is, and throw errors of their own at others. */
function languageAt(code: string, path: string): void {
  if (/^([a-z]{2,3}|[a-z]{5,8})$/.test(code)) {
    return;
  }
  throw wrong(`${path}.${code.slice(0, mostCharacters)}`, 'must be the code of a language');
}

function checkVectors(vectors: Record<string, unknown>): void {
  const path = 'manifest.vectors';
  onlyFields(vectors, vectorsNames, path);
  count(vectors['rowsRead'], `${path}.rowsRead`);
  checkForm(vectors, path);
  const centroidForm = fields(vectors['centroidForm'], `${path}.centroidForm`);
  onlyFields(centroidForm, formNames, `${path}.centroidForm`);
  checkForm(centroidForm, `${path}.centroidForm`);
  if (Number(centroidForm['dim']) > Number(vectors['dim'])) {
    throw wrong(`${path}.centroidForm.dim`, 'must not be above that of the vectors');
  }
  for (const name of ['closeFrom', 'recall', 'meanCosine', 'deviation']) {
    if (!Number.isFinite(vectors[name])) {
      throw wrong(`${path}.${name}`, 'must be a number');
    }
  }
  if (Number(vectors['deviation']) <= 0) {
    throw wrong(`${path}.deviation`, 'must be above 0');
  }
  if (vectors['centroids'] !== undefined) {
    fileNameAt(vectors['centroids'], `${path}.centroids`);
  }
}

function checkForm({ dim, bits }: Record<string, unknown>, path: string): void {
  count(dim, `${path}.dim`);
  if (Number(dim) > 16_384) {
    throw wrong(`${path}.dim`, 'must be at most 16384');
  }
  if ((codeBits as readonly unknown[]).includes(bits)) {
    return;
  }
  throw wrong(`${path}.bits`, `must be one of ${codeBits.join(', ')}`);
}

function wrong(path: string, rule: string): AmbryError {
  return new AmbryError('BadValue', `${path} ${rule}.`, { path });
}

function fields(value: unknown, path: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw wrong(path, 'must be an object');
}

/** A field that nobody knows was misspelled, or is of a version that this program does not read. */
function onlyFields(object: Record<string, unknown>, names: readonly string[], path: string): void {
  const unknown = Object.keys(object).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const shown = unknown.slice(0, mostCharacters);
    throw wrong(`${path}.${shown}`, `is none of ${names.join(', ')}`);
  }
}

/** An address from the folder of the index. */
function address(value: unknown, path: string): void {
  if (typeof value !== 'string') {
    throw wrong(path, 'must be a text');
  }
  if (!URL.canParse(value, 'https://site.invalid/search/')) {
    throw wrong(path, 'must be an address');
  }
}

function list(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) {
    return value;
  }
  throw wrong(path, 'must be a list');
}

function count(value: unknown, path: string): void {
  const isCount = Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 31;
  if (!isCount) {
    throw wrong(path, 'must be a whole number');
  }
}

function fileNameAt(value: unknown, path: string): void {
  if (!isFileName(value)) {
    throw wrong(path, 'must be the name of a file');
  }
}
