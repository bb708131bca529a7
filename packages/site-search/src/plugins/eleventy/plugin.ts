// `ambry-site-search/eleventy`: a plugin that indexes an Eleventy site after its build, and a shortcode for the search box.
import { indexSite, type PluginLogger } from '../shared/index-site.ts';
import {
  boxAttributes,
  boxHtml,
  indexFolder,
  type SearchPluginOptions,
  scriptName,
} from '../shared/options.ts';

export interface EleventySearchOptions extends SearchPluginOptions {
  /** The name of the shortcode. Default: `ambrySearch`. */
  readonly shortcode?: string;
}

interface BuildEvent {
  /** From version 3 on. */
  readonly directories?: { readonly output: string };
  readonly dir: { readonly output: string };
  readonly outputMode: string;
}

/** Eleventy's configuration, as far as the plugin goes. */
export interface EleventyConfig {
  on(event: 'eleventy.after', listener: (event: BuildEvent) => Promise<void>): unknown;
  addShortcode(name: string, write: () => string): unknown;
  getFilter(name: 'url' | 'htmlBaseUrl'): unknown;
  readonly logger?: { log(message: string): void; warn(message: string): void };
}

/**
 * Indexes the site after its build, and adds a shortcode that writes the search box: `{% ambrySearch %}`. A build that cannot
 * be indexed fails with the builder's `AmbryError`. With `--serve` and `--watch`, the first build is indexed.
 *
 * @example
 * eleventyConfig.addPlugin(ambrySearch, { model: 'static.weights' });
 */
export function ambrySearch(config: EleventyConfig, options: EleventySearchOptions = {}): void {
  const { shortcode = 'ambrySearch', ...search } = options;
  const path = `/${indexFolder(search)}/${scriptName}`;
  const attributes = boxAttributes(search);
  // The prefix of the site is known only when pages are written.
  const withPrefix = (url: string) => (config.getFilter('url') as (url: string) => string)(url);
  config.addShortcode(shortcode, () => {
    const place = { ...attributes, site: withPrefix('/') };
    // The plugin HtmlBase adds the prefix to the addresses of scripts.
    return boxHtml(place, config.getFilter('htmlBaseUrl') ? path : withPrefix(path));
  });
  let isIndexed = false;
  config.on('eleventy.after', async ({ directories, dir, outputMode }) => {
    if (isIndexed || outputMode !== 'fs') {
      return;
    }
    await indexSite(directories?.output ?? dir.output, search, {}, loggerOf(config));
    isIndexed = true;
  });
}

function loggerOf({ logger = console }: EleventyConfig): PluginLogger {
  return {
    info: (message) => logger.log(message),
    warn: (message) => logger.warn(message),
  };
}
