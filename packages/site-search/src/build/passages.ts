// Cuts pages into passages and embeds their parts, or takes both from the cache.
import type { Encoder } from 'ambry/encoder';
import { embeddedText } from '../shared/part-text.ts';
import { cutPassages } from './cut-passages.ts';
import type { Settings } from './options.ts';
import type { CachedPage, PageCache } from './page-cache.ts';
import { type PagePart, pageParts } from './page-parts.ts';
import type { SitePage } from './page-reader.ts';
import { estimatedTokens } from './token-estimate.ts';

/** Texts whose tokens are counted together. */
const countedTexts = 2048;

/** A page with its parts, and a row for each of them. */
export interface EmbeddedPage {
  readonly page: SitePage;
  readonly parts: readonly PagePart[];
  readonly vectors: Float32Array;
  readonly isCached: boolean;
}

export class PassageMaker {
  readonly #encoder: Encoder | undefined;
  readonly #cache: PageCache;
  readonly #settings: Settings;

  /** Without an encoder, rows are empty. */
  constructor(encoder: Encoder | undefined, cache: PageCache, settings: Settings) {
    this.#encoder = encoder;
    this.#cache = cache;
    this.#settings = settings;
  }

  /** The pages in their order. Their new texts are embedded together. */
  async make(pages: readonly SitePage[]): Promise<EmbeddedPage[]> {
    const keys = pages.map(({ content }) => this.#cache.keyOf(content));
    const found = keys.map((key) => this.#cache.get(key));
    const missing = pages.filter((_, i) => !found[i]);
    const made = (await this.#embedded(missing)).values();
    return pages.map((page, i) => {
      const kept = found[i];
      const { passages, vectors } = kept ?? (made.next().value as CachedPage);
      this.#cache.set(keys[i] as string, { passages, vectors });
      return { page, parts: pageParts(page, passages), vectors, isCached: kept !== undefined };
    });
  }

  async #embedded(pages: readonly SitePage[]): Promise<CachedPage[]> {
    const count = (texts: readonly string[]) => this.#count(texts);
    const cut = await Promise.all(
      pages.map(({ content, path }) => cutPassages(content, count, path)),
    );
    const texts = cut.map((passages, i) =>
      pageParts(pages[i] as SitePage, passages).map(({ text }) => embeddedText(text)),
    );
    const rows = await this.embed(texts.flat());
    let at = 0;
    return cut.map((passages, i) => {
      const end = at + (texts[i] as string[]).length * this.#settings.dim;
      const vectors = rows.slice(at, end);
      at = end;
      return { passages, vectors };
    });
  }

  /** Some at a time, so that an abort ends the work within a huge page. */
  async #count(texts: readonly string[]): Promise<number[]> {
    if (!this.#encoder) {
      return texts.map(estimatedTokens);
    }
    const counts: number[] = [];
    for (let at = 0; at < texts.length; at += countedTexts) {
      this.#settings.signal?.throwIfAborted();
      const part = await this.#encoder.tokenCounts(texts.slice(at, at + countedTexts));
      for (const count of part) {
        counts.push(count);
      }
    }
    return counts;
  }

  /** Rows of the index's length, each of length 1. */
  async embed(texts: readonly string[]): Promise<Float32Array> {
    if (texts.length === 0 || !this.#encoder) {
      return new Float32Array();
    }
    const { dim, signal } = this.#settings;
    const more = { dim, normalize: true, ...(signal && { signal }) };
    return this.#encoder.embed(texts, { as: 'matrix', ...more });
  }
}
