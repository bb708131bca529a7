// The public types of the client.
import type { AmbryError, Encoder, Progress } from 'ambry/static-encoder';

/** Where an index is: the address of its folder, or a function that answers for its files as `fetch` would. */
export type SiteSource = string | URL | { readonly fetch: FetchFile };

/** `path` is below the folder of the index, such as `manifest.json`. */
export type FetchFile = (path: string, init: FetchInit) => Promise<Response>;

export interface FetchInit {
  readonly signal: AbortSignal;
  /** The manifest is always asked for, and after a deploy other files are too. */
  readonly cache: 'default' | 'no-cache' | 'reload';
  /** Asks for ranges of the file. An answer with the whole file will do. */
  readonly headers?: { readonly range: string };
}

export interface SiteSearchOptions {
  /** The address of the site, to which those of its pages are added. Default: as the index says, which knows where its
   *  folder is in the site. */
  readonly site?: string | URL;
  /** `false` searches for words only. An encoder that is open already stays the caller's. Default: the model of the index
   *  is opened with `prepare`, or with the first search that may use it. */
  readonly model?: false | Encoder;
  /** Keeps the model in the cache of Ambry. Default: true in pages. */
  readonly keepModel?: boolean;
  /** Milliseconds that a file may take. Default: 30,000. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

export interface PrepareOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * - `auto`: by words until the model is there, then by both.
 * - `hybrid`: by both. It waits for the model.
 * - `words`, `meaning`: by one alone.
 */
export type SearchMode = 'auto' | 'hybrid' | 'words' | 'meaning';

export interface SearchOptions {
  /** Pages of the answer. Default: 10. */
  readonly k?: number;
  /** Only pages that have one of the values, for each of these filters. */
  readonly filters?: Readonly<Record<string, string | readonly string[]>>;
  /** Counts the pages of each value of these filters. `true` counts for all filters. Default: none. */
  readonly facets?: true | readonly string[];
  /** Default: `auto`. */
  readonly mode?: SearchMode;
  /** Characters of an excerpt. Default: 240. */
  readonly excerptLength?: number;
  readonly signal?: AbortSignal;
}

/**
 * - `found`: there are pages.
 * - `nothing-close`: no page has enough words of the query, and none is near to its meaning.
 * - `no-words`: no page has enough words of the query, and meaning was not asked.
 * - `empty`: the query has no words.
 */
export type AnswerState = 'found' | 'nothing-close' | 'no-words' | 'empty';

/** Whether the model is there. */
export type MeaningState = 'off' | 'waiting' | 'loading' | 'ready' | 'failed';

export interface SiteAnswer {
  readonly query: string;
  readonly state: AnswerState;
  readonly by: 'words' | 'meaning' | 'hybrid';
  readonly meaning: MeaningState;
  /** Why the model is not there, if `meaning` is `failed`. */
  readonly meaningError?: AmbryError;
  /** The query as it was understood, if no page has a word of it and a near word was searched in its place. */
  readonly corrected?: string;
  /** Where nothing was found: the query with the nearest words of the site. */
  readonly didYouMean?: string;
  /** The best first. */
  readonly pages: readonly PageHit[];
  /** How many pages have a word of the query or are near to it, as far as was read. */
  readonly total: number;
  readonly facets?: Readonly<Record<string, readonly FacetCount[]>>;
}

export interface FacetCount {
  readonly value: string;
  readonly pages: number;
}

export interface PageHit {
  readonly url: string;
  readonly title: string;
  readonly description?: string;
  readonly language: string;
  readonly filters: Readonly<Record<string, readonly string[]>>;
  /** Scores of one answer can be compared, those of several cannot. */
  readonly score: number;
  /** The cosine of the nearest passage, if meaning was asked. */
  readonly cosine?: number;
  readonly excerpt: Excerpt;
  /** The best sections, the best first: at most three. */
  readonly sections: readonly SectionHit[];
}

export interface SectionHit {
  /** With the anchor of the heading. */
  readonly url: string;
  readonly heading: string;
  readonly score: number;
  readonly excerpt: Excerpt;
}

/** A piece of a page's text. It is text and never HTML. */
export interface Excerpt {
  readonly text: string;
  /** The words of the query: `[start, end)` in UTF-16 code units of `text`, in their order. */
  readonly highlights: readonly (readonly [start: number, end: number])[];
  /** Whether there is text of the same passage before and after. */
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
}
