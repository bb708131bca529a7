// Makes the index of a built site.
import { AmbryError, type Progress } from 'ambry/encoder';
import { probe, probeFile } from '../shared/file-name.ts';
import { formatName, formatVersion, type Manifest } from '../shared/manifest.ts';
import { refuseUnknown } from '../shared/refuse-unknown.ts';
import { encodeStart } from '../shared/start-file.ts';
import { elementFiles } from './element-files.ts';
import { MeaningIndex } from './meaning-index.ts';
import { openSiteModel, type SiteModel } from './open-model.ts';
import {
  type BuildOptions,
  type BuildResult,
  buildOptionNames,
  type Settings,
  settingsOf,
} from './options.ts';
import { PageCache } from './page-cache.ts';
import { type SitePage, SiteReader } from './page-reader.ts';
import { withPagefindMark } from './pagefind-mark.ts';
import { type EmbeddedPage, PassageMaker } from './passages.ts';
import { pause } from './pause.ts';
import { isWithin, pathBelow, sitePages, sitePath } from './site-files.ts';
import { FilterIndex } from './writing/filter-index.ts';
import { IndexWriter } from './writing/index-writer.ts';
import { NameIndex } from './writing/name-index.ts';
import { pageNames } from './writing/page-names.ts';
import { TextStore } from './writing/text-store.ts';
import { WordIndex } from './writing/word-index.ts';
import { writeWordShards } from './writing/word-shards.ts';

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
  const model = options.meaning === 'none' ? undefined : await openSiteModel(options);
  try {
    const marked = await withPagefindMark(folder, paths, options);
    const settings = settingsOf(marked, model?.encoder);
    return await new SiteBuild(folder, out, paths, model, settings).run();
  } finally {
    await model?.encoder.dispose();
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
  readonly #model: SiteModel | undefined;
  readonly #meaning: MeaningIndex | undefined;
  readonly #settings: Settings;
  readonly #reader: SiteReader;
  readonly #writer: IndexWriter;
  readonly #texts = new TextStore();
  readonly #words = new WordIndex();
  readonly #names = new NameIndex();
  readonly #filters = new FilterIndex();
  /** For each page, the number of its parts. */
  readonly #table: number[] = [];
  #parts = 0;
  #passages = 0;
  #cached = 0;

  constructor(
    folder: string,
    out: string,
    paths: readonly string[],
    model: SiteModel | undefined,
    settings: Settings,
  ) {
    this.#site = sitePath(folder, out);
    this.#paths = paths;
    this.#model = model;
    this.#meaning = model && new MeaningIndex(model, settings);
    this.#settings = settings;
    this.#reader = new SiteReader(folder, paths, settings);
    this.#writer = new IndexWriter(out, settings.ranges);
  }

  async run(): Promise<BuildResult> {
    const name = this.#model?.name ?? 'none';
    const cache = await PageCache.open(this.#settings.cache, name, this.#settings.dim);
    const maker = new PassageMaker(this.#model?.encoder, cache, this.#settings);
    await this.#readPages(maker);
    if (this.#passages === 0) {
      throw new AmbryError('NotFound', this.#whyNothing(), { path: 'folder' });
    }
    await cache.save();
    const meaning = await this.#meaning?.write({
      writer: this.#writer,
      words: this.#words,
      embed: (texts) => maker.embed(texts),
      pause: () => pause(this.#settings.signal),
    });
    if (meaning) {
      this.#report('train', 1000, 1000);
    }
    const words = await this.#writeWords();
    await this.#writeElement();
    if (this.#settings.ranges !== false) {
      await this.#writer.write(probe.path, probeFile());
    }
    const filters = await this.#filters.write(this.#writer);
    // The texts may take the files that the others leave: all but the start file and the manifest.
    const { set: texts, dictionary } = await this.#texts.write(
      this.#writer,
      this.#settings.maxFiles - this.#writer.files - 2,
    );
    const start = encodeStart(this.#table, this.#writer.tables, dictionary, meaning?.ofStart);
    const { parts, common, little } = this.#words;
    const manifest: Manifest = {
      format: formatName,
      version: formatVersion,
      site: this.#site,
      pages: this.#table.length,
      parts: this.#parts,
      start: await this.#writer.addPacked('table', start),
      sets: { words, texts, ...meaning?.sets },
      words: { parts, common, little },
      filters,
      ...(meaning && { vectors: meaning.vectors }),
      ...(meaning?.model && { model: meaning.model }),
    };
    await this.#writer.finish(manifest);
    return this.#result(meaning?.vectors.recall);
  }

  #whyNothing(): string {
    const { hidden, redirects, empty } = this.#reader.leftOut;
    const message = 'No page of the site has a text that may be found';
    if (hidden === 0) {
      return `${message}: ${empty} without text, ${redirects} that lead elsewhere.`;
    }
    return `${message}: ${hidden} of ${this.#paths.length} pages ask not to be found (noindex). Set noindex to 'ignore' (--ignore-noindex) to read them.`;
  }

  /** Reads some pages while those before them are embedded in another thread. */
  async #readPages(maker: PassageMaker): Promise<void> {
    const paths = this.#paths;
    let making: Promise<EmbeddedPage[]> = Promise.resolve([]);
    for (let at = 0; at < paths.length; at += batchPages) {
      await pause(this.#settings.signal);
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
    this.#meaning?.nextPage();
    const firstPart = this.#parts;
    for (const [i, { text, words, symbols }] of parts.entries()) {
      this.#texts.add(text);
      await this.#words.add(words);
      for (const { heading } of text.sections) {
        this.#names.addHeading(heading, this.#parts);
      }
      for (const symbol of symbols) {
        this.#names.addSymbol(symbol, this.#parts);
      }
      this.#meaning?.add(this.#parts, text, vectors.subarray(i * dim, (i + 1) * dim));
      this.#filters.add(this.#parts++, text);
      this.#passages += text.passages.length;
    }
    const [first] = parts;
    if (first) {
      this.#names.addPage(pageNames(first.text.title, first.text.url), firstPart);
    }
    this.#table.push(parts.length);
  }

  async #writeWords() {
    this.#report('convert', 0, 0);
    await pause(this.#settings.signal);
    return writeWordShards(this.#words, this.#names, this.#writer);
  }

  async #writeElement(): Promise<void> {
    if (this.#settings.element === false) {
      return;
    }
    for (const { path, bytes } of await elementFiles()) {
      await this.#writer.write(path, bytes);
    }
  }

  #report(phase: Progress['phase'], loaded: number, total: number): void {
    this.#settings.onProgress?.({ phase, loaded, total, cached: this.#cached });
  }

  #result(recall: number | undefined): BuildResult {
    return {
      pages: this.#table.length,
      passages: this.#passages,
      ...this.#reader.leftOut,
      cached: this.#cached,
      ...(recall !== undefined && { recall }),
      files: this.#writer.files,
      bytes: this.#writer.bytes,
    };
  }
}
