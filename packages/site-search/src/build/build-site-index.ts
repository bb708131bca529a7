// Makes the index of a built site.
import { AmbryError, type Progress } from 'ambry/encoder';
import type { ChunkSet } from '../shared/chunks.ts';
import { probe, probeFile } from '../shared/file-name.ts';
import { formatName, formatVersion, type Manifest, type ModelInfo } from '../shared/manifest.ts';
import { embeddedText, type PartText } from '../shared/part-text.ts';
import { refuseUnknown } from '../shared/refuse-unknown.ts';
import { encodeStart } from '../shared/start-file.ts';
import { elementFiles } from './element-files.ts';
import { FilterIndex } from './filter-index.ts';
import { IndexWriter, nameOf } from './index-writer.ts';
import { NameIndex } from './name-index.ts';
import { cutModel, openSiteModel, type SiteModel } from './open-model.ts';
import {
  type BuildOptions,
  type BuildResult,
  buildOptionNames,
  type Settings,
  settingsOf,
} from './options.ts';
import { PageCache } from './page-cache.ts';
import { pageNames } from './page-names.ts';
import { type SitePage, SiteReader } from './page-reader.ts';
import { withPagefindMark } from './pagefind-mark.ts';
import { type EmbeddedPage, PassageMaker } from './passages.ts';
import { RowStore } from './row-store.ts';
import { type SampleQueries, SiteSample } from './sample-queries.ts';
import { isWithin, pathBelow, sitePages, sitePath } from './site-files.ts';
import { TextStore } from './text-store.ts';
import { makeLists } from './vector-index.ts';
import { WordIndex } from './word-index.ts';
import { writeWordShards } from './word-shards.ts';
import { writeWordRows } from './write-word-rows.ts';

/** Pages that are read and embedded together. */
const batchPages = 32;

/**
 * Reads the pages of a built site and writes a search index for `openSiteSearch` to the folder `out`, which may be inside
 * the site. Equal pages give equal files. The index that was there stays whole until the new one is. Beside it comes the script
 * `ambry-search.js`, which defines `<ambry-search>`.
 *
 * Rejects with an `AmbryError`: `NotFound` for a folder or a model that cannot be read, `Unsupported` for a page that is no
 * text and for a model that is no static encoder, `LimitExceeded` for a page that is too large, and `BadValue` for an
 * option. An abort rejects with an `AbortError`.
 *
 * @example
 * const { pages } = await buildSiteIndex('dist', 'dist/search', { model: 'models/small.weights' });
 */
export async function buildSiteIndex(
  folder: string,
  out: string,
  options: BuildOptions = {},
): Promise<BuildResult> {
  refuseUnknown(options, buildOptionNames);
  checkPlaces(folder, out, options);
  const { include = () => true } = options;
  const paths = (await sitePages(folder, out)).filter((path) => include(path));
  if (paths.length === 0) {
    const message = `There are no HTML files in ${folder}. Build the site first.`;
    throw new AmbryError('NotFound', message, { path: 'folder' });
  }
  warnOfNamesake(folder, out, paths, options);
  const model = await openSiteModel(options);
  try {
    const marked = await withPagefindMark(folder, paths, options);
    const settings = settingsOf(marked, model.encoder);
    return await new SiteBuild(folder, out, paths, model, settings).run();
  } finally {
    await model.encoder.dispose();
  }
}

function checkPlaces(folder: string, out: string, { cache }: BuildOptions): void {
  if (isWithin(out, folder)) {
    const message = 'The index must have a folder of its own, such as dist/search.';
    throw new AmbryError('BadValue', message, { path: 'out' });
  }
  if (cache !== undefined && (isWithin(folder, cache) || isWithin(out, cache))) {
    const message = `The cache ${cache} must be outside the site, because it is not for readers.`;
    throw new AmbryError('BadValue', message, { path: 'options.cache' });
  }
}

/** Hosts that leave `.html` away have one address for the page `search.html` and the folder `search`. */
function warnOfNamesake(
  folder: string,
  out: string,
  paths: readonly string[],
  { onWarning }: BuildOptions,
): void {
  const below = pathBelow(folder, out);
  const page = paths.find((path) => path.replace(/\.x?html?$/i, '') === below);
  if (page !== undefined) {
    onWarning?.(
      `The page ${page} and the folder of the index have one address on many hosts. Give the index another folder.`,
    );
  }
}

class SiteBuild {
  readonly #site: string;
  readonly #paths: readonly string[];
  readonly #model: SiteModel;
  readonly #settings: Settings;
  readonly #reader: SiteReader;
  readonly #writer: IndexWriter;
  readonly #texts = new TextStore();
  readonly #words = new WordIndex();
  readonly #names = new NameIndex();
  readonly #filters = new FilterIndex();
  readonly #sample = new SiteSample();
  readonly #rows: RowStore;
  /** The hashes of the texts that have a row. */
  readonly #embedded = new Set<string>();
  /** For each page, the number of its parts. */
  readonly #table: number[] = [];
  #parts = 0;
  #passages = 0;
  #cached = 0;

  constructor(
    folder: string,
    out: string,
    paths: readonly string[],
    model: SiteModel,
    settings: Settings,
  ) {
    this.#site = sitePath(folder, out);
    this.#paths = paths;
    this.#model = model;
    this.#settings = settings;
    this.#reader = new SiteReader(folder, paths, settings);
    this.#writer = new IndexWriter(out, settings.ranges);
    this.#rows = new RowStore(settings.dim);
  }

  async run(): Promise<BuildResult> {
    const { encoder, name } = this.#model;
    const cache = await PageCache.open(this.#settings.cache, name, this.#settings.dim);
    const maker = new PassageMaker(encoder, cache, this.#settings);
    await this.#readPages(maker);
    if (this.#passages === 0) {
      throw new AmbryError('NotFound', this.#whyNothing(), { path: 'folder' });
    }
    await cache.save();
    const related = await this.#writeRelated();
    const wordSet = await this.#writeWords();
    const queries = await this.#queries(maker);
    const pause = () => this.#pause();
    const made = await makeLists(this.#rows, queries, this.#settings, this.#writer, pause);
    this.#report('train', 1000, 1000);
    await this.#writeElement();
    if (this.#settings.ranges !== false) {
      await this.#writer.write(probe.path, probeFile());
    }
    const filters = await this.#filters.write(this.#writer);
    const model = related ? undefined : await this.#writeModel();
    // The texts may take the files that the others leave. The start file, the manifest and the centroids are three of those.
    const mostFiles = this.#settings.maxFiles - this.#writer.files - (related ? 2 : 3);
    const texts = await this.#texts.write(this.#writer, mostFiles);
    const ofStart = related ? made.centroids : undefined;
    const start = encodeStart(this.#table, this.#writer.tables, ofStart);
    const { parts, common, little } = this.#words;
    const manifest: Manifest = {
      format: formatName,
      version: formatVersion,
      site: this.#site,
      pages: this.#table.length,
      parts: this.#parts,
      start: await this.#writer.addPacked('table', start),
      sets: { words: wordSet, texts, vectors: made.set, ...(related && { related }) },
      words: { parts, common, little },
      filters,
      vectors: {
        ...made.vectors,
        ...(!related && { centroids: await this.#writer.add('centroids', made.centroids) }),
      },
      ...(model && { model }),
    };
    await this.#writer.finish(manifest);
    return this.#result(made.vectors.recall);
  }

  #whyNothing(): string {
    const { hidden, redirects, empty } = this.#reader.leftOut;
    const message = 'No page of the site has a text that may be found';
    if (hidden === 0) {
      return `${message}: ${empty} without text, ${redirects} that lead elsewhere.`;
    }
    return `${message}: ${hidden} of ${this.#paths.length} pages ask not to be found (noindex). Set noindex to 'ignore' (--ignore-noindex) to read them.`;
  }

  /** The numbers of the model that the index has, unless the site has the model elsewhere. */
  async #writeModel(): Promise<ModelInfo> {
    const { bytes, name, sha256, licence } = this.#model;
    const { modelUrl: url } = this.#settings;
    if (url !== undefined) {
      return { name, bytes: bytes.length, url, sha256 };
    }
    const cut = await cutModel(this.#model, this.#settings);
    const written = await this.#writer.add('model', cut);
    if (licence) {
      await this.#writer.write(`model/${written}.LICENSE`, licence);
    }
    return { name: written, bytes: cut.length };
  }

  /** Reads some pages while those before them are embedded in another thread. */
  async #readPages(maker: PassageMaker): Promise<void> {
    const paths = this.#paths;
    let making: Promise<EmbeddedPage[]> = Promise.resolve([]);
    for (let at = 0; at < paths.length; at += batchPages) {
      const pages = await this.#readSome(paths.slice(at, at + batchPages));
      const made = await making;
      making = maker.make(pages);
      // Who waits for them hears of a failure, unless another one comes before.
      making.catch(() => {});
      await this.#addAll(made);
      this.#report('embed', at, paths.length);
    }
    await this.#addAll(await making);
    this.#report('embed', paths.length, paths.length);
  }

  async #readSome(paths: readonly string[]): Promise<SitePage[]> {
    const pages: SitePage[] = [];
    for (const path of paths) {
      this.#settings.signal?.throwIfAborted();
      const page = await this.#reader.read(path);
      if (page) {
        pages.push(page);
      }
    }
    return pages;
  }

  async #addAll(pages: readonly EmbeddedPage[]): Promise<void> {
    for (const page of pages) {
      await this.#add(page);
    }
  }

  async #add({ parts, vectors, isCached }: EmbeddedPage): Promise<void> {
    const { dim } = this.#settings;
    if (isCached) {
      this.#cached++;
    }
    this.#sample.nextPage();
    const firstPart = this.#parts;
    for (const [i, { text, words }] of parts.entries()) {
      this.#texts.add(text);
      await this.#words.add(words);
      for (const { heading } of text.sections) {
        this.#sample.addHeading(heading);
        this.#names.addHeading(heading, this.#parts);
      }
      this.#addRow(text, vectors.subarray(i * dim, (i + 1) * dim));
      this.#filters.add(this.#parts++, text);
      this.#passages += text.passages.length;
    }
    const [first] = parts;
    if (first) {
      this.#names.addPage(pageNames(first.text.title, first.text.url), firstPart);
    }
    this.#table.push(parts.length);
  }

  /** A text that many pages have is one neighbour and not many. */
  #addRow(text: PartText, vector: Float32Array): void {
    const key = nameOf(embeddedText(text));
    if (this.#embedded.has(key)) {
      return;
    }
    this.#embedded.add(key);
    this.#sample.addRow(this.#rows.size);
    this.#rows.add(this.#parts, vector);
  }

  async #queries(maker: PassageMaker): Promise<SampleQueries> {
    const headings = this.#sample.headings();
    return {
      vectors: await maker.embed(headings.map(({ item }) => item)),
      pages: headings.map(({ page }) => page),
      compared: this.#sample.rows(),
    };
  }

  async #writeWords() {
    this.#report('convert', 0, 0);
    await this.#pause();
    return writeWordShards(this.#words, this.#names, this.#writer);
  }

  /** The vectors of words, if they give queries their meaning. */
  async #writeRelated(): Promise<ChunkSet | undefined> {
    if (this.#settings.meaning === 'model') {
      return undefined;
    }
    const { encoder, licence } = this.#model;
    const pause = () => this.#pause();
    const { dim } = this.#settings;
    const set = await writeWordRows(encoder, this.#words, dim, this.#writer, pause);
    if (licence) {
      await this.#writer.write(`related/${set.name}.LICENSE`, licence);
    }
    return set;
  }

  async #writeElement(): Promise<void> {
    if (this.#settings.element === false) {
      return;
    }
    for (const { path, bytes } of await elementFiles()) {
      await this.#writer.write(path, bytes);
    }
  }

  /** Lets other tasks run, and throws after an abort. */
  async #pause(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#settings.signal?.throwIfAborted();
  }

  #report(phase: Progress['phase'], loaded: number, total: number): void {
    this.#settings.onProgress?.({ phase, loaded, total, cached: this.#cached });
  }

  #result(recall: number): BuildResult {
    return {
      pages: this.#table.length,
      passages: this.#passages,
      ...this.#reader.leftOut,
      cached: this.#cached,
      recall,
      files: this.#writer.files,
      bytes: this.#writer.bytes,
    };
  }
}
