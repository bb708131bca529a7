// What an index has for searches by meaning: the vectors of parts, and what gives a query its own.
import type { ChunkSet } from '../shared/chunks.ts';
import type { ModelInfo, VectorsInfo } from '../shared/manifest.ts';
import { embeddedText, type PartText } from '../shared/part-text.ts';
import { cutModel, type SiteModel } from './open-model.ts';
import type { Settings } from './options.ts';
import { type SampleQueries, SiteSample } from './sample-queries.ts';
import { makeLists } from './vector-index.ts';
import { type IndexWriter, nameOf } from './writing/index-writer.ts';
import { RowStore } from './writing/row-store.ts';
import type { WordIndex } from './writing/word-index.ts';
import { writeWordRows } from './writing/write-word-rows.ts';

/** What the manifest and the start file say of meaning. */
export interface WrittenMeaning {
  readonly sets: { readonly vectors: ChunkSet; readonly related?: ChunkSet };
  readonly vectors: VectorsInfo;
  readonly model?: ModelInfo;
  /** The centroids, if they belong to the start file. */
  readonly ofStart?: Uint8Array;
}

interface MeaningWork {
  readonly writer: IndexWriter;
  readonly words: WordIndex;
  readonly embed: (texts: readonly string[]) => Promise<Float32Array>;
  /** Lets other tasks run, and throws after an abort. */
  readonly pause: () => Promise<void>;
}

export class MeaningIndex {
  readonly #model: SiteModel;
  readonly #settings: Settings;
  readonly #rows: RowStore;
  readonly #sample = new SiteSample();
  /** The hashes of the texts that have a row. */
  readonly #embedded = new Set<string>();

  constructor(model: SiteModel, settings: Settings) {
    this.#model = model;
    this.#settings = settings;
    this.#rows = new RowStore(settings.dim);
  }

  nextPage(): void {
    this.#sample.nextPage();
  }

  /** A text that many pages have is one neighbour and not many. */
  add(part: number, text: PartText, vector: Float32Array): void {
    for (const { heading } of text.sections) {
      this.#sample.addHeading(heading);
    }
    const key = nameOf(embeddedText(text));
    if (this.#embedded.has(key)) {
      return;
    }
    this.#embedded.add(key);
    this.#sample.addRow(this.#rows.size);
    this.#rows.add(part, vector);
  }

  async write({ writer, words, embed, pause }: MeaningWork): Promise<WrittenMeaning> {
    const isByWords = this.#settings.meaning === 'words';
    const related = isByWords ? await this.#writeRelated(words, writer, pause) : undefined;
    const queries = await this.#queries(embed);
    const made = await makeLists(this.#rows, queries, this.#settings, writer, pause);
    const { set, vectors, centroids } = made;
    if (related) {
      return { sets: { vectors: set, related }, vectors, ofStart: centroids };
    }
    return {
      sets: { vectors: set },
      vectors: { ...vectors, centroids: await writer.add('centroids', centroids) },
      model: await this.#writeModel(writer),
    };
  }

  async #queries(embed: MeaningWork['embed']): Promise<SampleQueries> {
    const headings = this.#sample.headings();
    return {
      vectors: await embed(headings.map(({ item }) => item)),
      pages: headings.map(({ page }) => page),
      compared: this.#sample.rows(),
    };
  }

  /** The vectors of words. */
  async #writeRelated(
    words: WordIndex,
    writer: IndexWriter,
    pause: () => Promise<void>,
  ): Promise<ChunkSet> {
    const { encoder, licence } = this.#model;
    const set = await writeWordRows(encoder, words, this.#settings.dim, writer, pause);
    if (licence) {
      await writer.write(`related/${set.name}.LICENSE`, licence);
    }
    return set;
  }

  /** The numbers of the model that the index has, unless the site has the model elsewhere. */
  async #writeModel(writer: IndexWriter): Promise<ModelInfo> {
    const { bytes, name, sha256, licence } = this.#model;
    const { modelUrl: url } = this.#settings;
    if (url !== undefined) {
      return { name, bytes: bytes.length, url, sha256 };
    }
    const cut = await cutModel(this.#model, this.#settings);
    const written = await writer.add('model', cut);
    if (licence) {
      await writer.write(`model/${written}.LICENSE`, licence);
    }
    return { name: written, bytes: cut.length };
  }
}
