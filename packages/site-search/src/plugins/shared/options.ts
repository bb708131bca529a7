// The options that the plugins for site generators have in common.
import { AmbryError } from 'ambry/encoder';
import type { BuildOptions } from '../../build/options.ts';
import { type OptionNames, refuseUnknown } from '../../shared/refuse-unknown.ts';

/** What the builder does not learn from the generator. */
export type IndexOptions = Omit<
  BuildOptions,
  'signal' | 'onProgress' | 'onWarning' | 'cleanUrls' | 'trailingSlash' | 'include' | 'element'
>;

/** The attributes of the search box. */
export interface BoxOptions {
  /** The text in the empty box. */
  readonly placeholder?: string;
  /** The name of the box for screen readers. */
  readonly label?: string;
  /** The letter that opens the box with Ctrl or Command. `false` for none. Default: `k`. */
  readonly hotkey?: string | false;
  /** Pages of an answer. */
  readonly k?: number;
  /** The filters that readers can set. */
  readonly facets?: readonly string[];
}

export interface SearchPluginOptions extends IndexOptions, BoxOptions {
  /** The folder of the index in the built site, and in that of each locale. Default: `search`. */
  readonly folder?: string;
  /** Pages that are left out, by the path of their file in the built site. Default: none but those that say so. */
  readonly exclude?: (path: string) => boolean;
}

const pluginOptionNames: OptionNames<SearchPluginOptions> = {
  model: true,
  meaning: true,
  modelUrl: true,
  dim: true,
  bits: true,
  queryBytes: true,
  maxFiles: true,
  ranges: true,
  cache: true,
  content: true,
  ignore: true,
  requires: true,
  altTexts: true,
  titleSuffix: true,
  skipBad: true,
  noindex: true,
  placeholder: true,
  label: true,
  hotkey: true,
  k: true,
  facets: true,
  folder: true,
  exclude: true,
};

export const scriptName = 'ambry-search.js';

/** Throws `BadValue` if the folder is not one below the site. */
export function indexFolder({ folder = 'search' }: SearchPluginOptions): string {
  const parts = folder.split('/').filter((part) => part !== '');
  const isBelow = parts.length > 0 && !folder.startsWith('/');
  if (isBelow && !parts.some((part) => part.startsWith('.') || /[\\?#%]/.test(part))) {
    return parts.join('/');
  }
  const message = `"${folder}" is no folder in the built site. State one such as "search" or "assets/search".`;
  throw new AmbryError('BadValue', message, { path: 'options.folder' });
}

/** Attributes of the box of a site, or of one of its locales. */
export interface BoxPlace {
  /** The address of the site. The folder of its index is below it. */
  readonly site: string;
  readonly src: string;
}

/** `base` is the path of the site, and `locale` a folder in it. */
export function boxPlace(base: string, options: SearchPluginOptions, locale = ''): BoxPlace {
  const parts = [base, locale].flatMap((path) => path.split('/')).filter((part) => part !== '');
  const site = parts.map((part) => `/${part}`).join('');
  return { site: `${site}/`, src: `${site}/${indexFolder(options)}/` };
}

/** The address of the script. */
export const scriptUrl = ({ src }: BoxPlace): string => src + scriptName;

export function boxAttributes(options: BoxOptions): Record<string, string> {
  const { placeholder, label, hotkey = 'k', k, facets } = options;
  return {
    ...(placeholder !== undefined && { placeholder }),
    ...(label !== undefined && { label }),
    ...(hotkey !== false && { hotkey }),
    ...(k !== undefined && { k: String(k) }),
    ...(facets !== undefined && { facets: facets.join(' ') }),
  };
}

/** What is left for the builder. Throws `BadValue` for an option that no plugin has. */
export function indexOptions(options: SearchPluginOptions): IndexOptions {
  refuseUnknown(options, pluginOptionNames);
  const { folder, exclude, placeholder, label, hotkey, k, facets, ...rest } = options;
  return rest;
}

/** The tags of the box, as HTML, for generators whose templates are text. */
export function boxHtml(attributes: Readonly<Record<string, string>>, script: string): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  return `<ambry-search${written.join('')}></ambry-search><script type="module" src="${escaped(script)}"></script>`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
