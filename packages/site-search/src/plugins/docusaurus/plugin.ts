// `ambry-site-search/docusaurus`: a plugin that indexes a Docusaurus site after its build, and its search bar.
import { fileURLToPath } from 'node:url';
import { indexSite, type PagePreset } from '../shared/index-site.ts';
import { boxAttributes, boxPlace, type SearchPluginOptions, scriptUrl } from '../shared/options.ts';
import { listPages, type Route } from './list-pages.ts';
import { loggerOf } from './logger.ts';

/** Docusaurus adds the id of the plugin. */
export interface DocusaurusSearchOptions extends SearchPluginOptions {
  readonly id?: string;
}

interface SiteContext {
  readonly siteDir: string;
  readonly outDir: string;
  readonly baseUrl: string;
  readonly siteConfig: {
    readonly title: string;
    readonly titleDelimiter?: string;
    readonly trailingSlash?: boolean | undefined;
  };
  readonly i18n: {
    readonly currentLocale: string;
    readonly locales: readonly string[];
  };
}

interface BuiltSite extends SiteContext {
  readonly routes: readonly Route[];
}

interface ContentEvent {
  readonly actions: { setGlobalData(data: unknown): void };
}

/** A plugin of Docusaurus, as far as this one goes. */
export interface DocusaurusSearchPlugin {
  readonly name: string;
  getThemePath(): string;
  contentLoaded(event: ContentEvent): Promise<void>;
  injectHtmlTags(): {
    headTags?: { tagName: string; attributes: Record<string, string> }[];
  };
  postBuild(site: BuiltSite): Promise<void>;
}

const preset: PagePreset = {
  content: '.markdown',
  ignore: '.theme-doc-footer, .hash-link, .theme-code-block-highlighted-line-number',
};

/**
 * Indexes each locale of the site after `docusaurus build`, and is its search bar. A build that cannot be indexed fails with
 * the builder's `AmbryError`. In the dev server, the bar says that the build makes the index.
 *
 * @example
 * plugins: ['ambry-site-search/docusaurus']
 */
export default function ambrySearch(
  context: SiteContext,
  { id: _, ...options }: DocusaurusSearchOptions = {},
): DocusaurusSearchPlugin {
  const isBuild = process.env['NODE_ENV'] === 'production';
  const place = boxPlace(context.baseUrl, options);
  return {
    name: 'ambry-site-search',
    getThemePath: () => fileURLToPath(new URL('theme', import.meta.url)),
    contentLoaded: async ({ actions }) => {
      const attributes = { ...boxAttributes(options), ...place };
      actions.setGlobalData({ isBuilt: isBuild, attributes });
    },
    injectHtmlTags() {
      if (!isBuild) {
        return {};
      }
      const src = scriptUrl(place);
      return {
        headTags: [{ tagName: 'script', attributes: { type: 'module', src } }],
      };
    },
    async postBuild(site) {
      const pages = { ...preset, ...pagesOf(site) };
      await indexSite(site.outDir, options, pages, await loggerOf(site.siteDir));
    },
  };
}

/** What the configuration says about titles and addresses, and which pages are no content. */
function pagesOf({ siteConfig, baseUrl, routes, i18n }: BuiltSite): PagePreset {
  const { title, titleDelimiter = '|', trailingSlash } = siteConfig;
  const lists = listPages(routes, baseUrl);
  // The other locales have an index of their own.
  const others = i18n.locales.filter((locale) => locale !== i18n.currentLocale);
  return {
    titleSuffix: ` ${titleDelimiter} ${title}`,
    cleanUrls: trailingSlash === false,
    exclude: (path) =>
      path === '404.html' || lists.has(path) || others.includes(path.split('/')[0] ?? ''),
  };
}
