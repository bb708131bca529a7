// The options of the builder.
import { AmbryError, type Encoder, type Progress } from 'ambry/encoder';
import { type CodeBits, codeBits } from '../shared/codes.ts';
import type { OptionNames } from '../shared/refuse-unknown.ts';
import type { PageRules } from './html/read-page.ts';
import { matcherOf } from './html/selectors.ts';

const meaningSources = ['words', 'model', 'none'] as const;
type MeaningSource = (typeof meaningSources)[number];

export interface BuildOptions {
  /** The file of a static encoder. Default: `english-static-336.weights` of the package ambry-models. */
  readonly model?: string;
  /** What gives a reader's query its meaning. `words`: vectors of words, of which a search reads those of its own. `model`: the
   *  model, which readers download. It is exact also for the order of passages. `none`: nothing; the site is searched by words
   *  alone, and no model reads it. Default: `words`, and `model` with `modelUrl`. */
  readonly meaning?: MeaningSource;
  /** Where the site has the model already: an address from the folder of the index, such as `../models/small.weights`, or
   *  from the host, such as `/models/small.weights`. The index then has no copy, and refuses another file there.
   *  Default: none. */
  readonly modelUrl?: string;
  /** The numbers of a vector in the index: so many are kept of the model's, and the copy of the model has no others.
   *  Default: 128, and 192 with `meaning: 'model'`, or all if the model has fewer. */
  readonly dim?: number;
  /** The bits of each of these numbers. Default: those with which a search of `queryBytes` finds most. */
  readonly bits?: CodeBits;
  /** Bytes of vectors that a search reads at most, about. More of them find more of the nearest passages. Default: 5,120, and
   *  28,672 with `meaning: 'model'`. */
  readonly queryBytes?: number;
  /** The most files of the index, for hosts that take so many. With fewer files an answer reads more bytes where the host does
   *  not answer range requests. Default: no limit; a site of 10,000 pages has at most 1,500 files. */
  readonly maxFiles?: number;
  /** `false` leaves out the long files, of which hosts that answer range requests send only what a search needs. They are
   *  about half of the index. Default: true. */
  readonly ranges?: boolean;
  /** The file that keeps the vectors of pages for the next run. It must be outside the site. Default: none. */
  readonly cache?: string;
  /** Leaves `.html` away in the addresses of pages, for hosts that do so. Default: false. */
  readonly cleanUrls?: boolean;
  /** `false` leaves away the slash at the end of the addresses of folders, for hosts that do so. Default: true. */
  readonly trailingSlash?: boolean;
  /** Which pages are read. `path` is that of the file below the site, with forward slashes. Default: all. */
  readonly include?: (path: string) => boolean;
  /** Elements that are the content, as if they had `data-ambry-body`: selectors of one element each, divided by commas,
   *  such as `.content, h1`. For pages that cannot have the attribute. Default: none. */
  readonly content?: string;
  /** Elements that are left out, as if they had `data-ambry-ignore`. Default: none. */
  readonly ignore?: string;
  /** Pages without such an element are left out, such as `[data-my-docs]`. Default: `[data-pagefind-body]`
   *  where a page has that, else none. */
  readonly requires?: string;
  /** Reads what images show, as their `alt` says it. Default: false. */
  readonly altTexts?: boolean;
  /** What the titles of all pages end with, such as ` | My site`, and which results do not show. Default: nothing. */
  readonly titleSuffix?: string | readonly string[];
  /** Skips pages that cannot be read, with a warning. Default: false; they are an error. */
  readonly skipBad?: boolean;
  /** Copies the script `ambry-search.js` and what it fetches to the index, so that pages can use `<ambry-search>`.
   *  Default: true. */
  readonly element?: boolean;
  /** `ignore` reads pages that ask not to be found (`<meta name="robots" content="noindex">`), for sites and previews that keep
   *  all pages from other search engines. Default: `heed`. */
  readonly noindex?: 'heed' | 'ignore';
  readonly signal?: AbortSignal;
  /** The phases are `load` (of the model), `embed` (pages), `train` (of the lists) and `convert` (of the words). */
  readonly onProgress?: (progress: Progress) => void;
  /** Hears of pages that are skipped, and of encodings that are guessed. */
  readonly onWarning?: (warning: string) => void;
}

export interface BuildResult {
  readonly pages: number;
  readonly passages: number;
  /** Pages that were left out because another one has the same text, or because they say so. */
  readonly duplicates: number;
  readonly hidden: number;
  /** Pages that only lead to another page. */
  readonly redirects: number;
  /** Pages without text. */
  readonly empty: number;
  readonly skipped: number;
  /** Pages whose vectors were in the cache. */
  readonly cached: number;
  /** The share of the ten nearest parts whose texts a search of a heading reads. Left out with `meaning: 'none'`. */
  readonly recall?: number;
  readonly files: number;
  /** Bytes of the index with its model. */
  readonly bytes: number;
}

export const buildOptionNames: OptionNames<BuildOptions> = {
  model: true,
  meaning: true,
  modelUrl: true,
  dim: true,
  bits: true,
  queryBytes: true,
  maxFiles: true,
  ranges: true,
  cache: true,
  cleanUrls: true,
  trailingSlash: true,
  include: true,
  content: true,
  ignore: true,
  requires: true,
  altTexts: true,
  titleSuffix: true,
  skipBad: true,
  element: true,
  noindex: true,
  signal: true,
  onProgress: true,
  onWarning: true,
};

const buildDefaults = {
  meaning: 'words',
  // Beside words, meaning needs few bytes: more of them find little more.
  dim: { words: 128, model: 192, none: 0 },
  queryBytes: { words: 5 * 1024, model: 28 * 1024, none: 0 },
} as const;

/** What an index is made with. */
export interface Settings extends BuildOptions {
  readonly dim: number;
  readonly meaning: MeaningSource;
  readonly queryBytes: number;
  readonly maxFiles: number;
  readonly rules: PageRules;
}

/** What only an index with meaning has. */
const ofMeaning = ['model', 'modelUrl', 'dim', 'bits', 'queryBytes'] as const;

/** `model` is undefined if nothing gives queries their meaning. Throws `BadValue` at an option. */
export function settingsOf(options: BuildOptions, model: Encoder | undefined): Settings {
  const {
    meaning = options.modelUrl === undefined ? buildDefaults.meaning : 'model',
    queryBytes = buildDefaults.queryBytes[meaning],
    maxFiles = Number.POSITIVE_INFINITY,
  } = options;
  if (!meaningSources.includes(meaning)) {
    throw badOption('meaning', 'must be words, model or none');
  }
  const dim = model ? (options.dim ?? Math.min(buildDefaults.dim[meaning], model.dim)) : 0;
  if (model) {
    checkVectors({ ...options, meaning, dim, queryBytes }, model);
  } else {
    const unused = ofMeaning.find((name) => options[name] !== undefined);
    if (unused !== undefined) {
      throw badOption(unused, "is for an index with meaning: leave it out with meaning: 'none'");
    }
  }
  if (options.noindex !== undefined && !['heed', 'ignore'].includes(options.noindex)) {
    throw badOption('noindex', 'must be heed or ignore');
  }
  if (!(maxFiles >= 1)) {
    throw badOption('maxFiles', 'must be a number from 1');
  }
  return { ...options, dim, meaning, queryBytes, maxFiles, rules: rulesOf(options) };
}

function checkVectors(
  { dim, bits, meaning, modelUrl, queryBytes }: BuildOptions & { dim: number; queryBytes: number },
  model: Encoder,
): void {
  if (!Number.isSafeInteger(dim) || dim < 1 || dim > model.dim) {
    const rule = `must be a whole number from 1 to ${model.dim}, the numbers of the model's vectors`;
    throw badOption('dim', rule);
  }
  if (bits !== undefined && !codeBits.includes(bits)) {
    throw badOption('bits', `must be one of ${codeBits.join(', ')}`);
  }
  if (modelUrl !== undefined && meaning !== 'model') {
    const rule = 'is for an index whose readers download the model: leave out meaning';
    throw badOption('modelUrl', rule);
  }
  if (!Number.isFinite(queryBytes) || queryBytes <= 0) {
    throw badOption('queryBytes', 'must be a number above 0');
  }
  if (modelUrl !== undefined && !URL.canParse(modelUrl, 'https://site.invalid/')) {
    const rule = `"${modelUrl}" is no address. State one such as ../models/small.weights`;
    throw new AmbryError('BadValue', `${rule}.`, { path: 'options.modelUrl' });
  }
}

const badOption = (name: keyof BuildOptions, rule: string): AmbryError =>
  new AmbryError('BadValue', `${name} ${rule}.`, { path: `options.${name}` });

function rulesOf({ content, ignore, requires, altTexts }: BuildOptions): PageRules {
  return {
    isContent: matcherOf(content, 'options.content'),
    isIgnored: matcherOf(ignore, 'options.ignore'),
    isRequired: requires === undefined ? undefined : matcherOf(requires, 'options.requires'),
    altTexts,
  };
}
