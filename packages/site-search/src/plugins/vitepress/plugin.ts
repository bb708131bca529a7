// `ambry-site-search/vitepress`: a plugin of Vite that indexes a VitePress site after its build, and replaces the search box
// of the default theme.
import { fileURLToPath } from 'node:url';
import { AmbryError } from 'ambry/encoder';
import { indexSite, type PagePreset, type PluginLogger } from '../shared/index-site.ts';
import type { SearchPluginOptions } from '../shared/options.ts';
import { boxModule, boxModuleName, type LocaleFolders, oneLocale } from '../shared/virtual-box.ts';

export type VitePressSearchOptions = SearchPluginOptions;

/** What the plugin reads of VitePress's own configuration. */
interface VitePressSite {
  readonly outDir: string;
  readonly cleanUrls?: boolean;
  readonly logger: PluginLogger;
  readonly site: {
    readonly base: string;
    readonly title: string;
    readonly themeConfig?: {
      readonly search?: unknown;
      readonly algolia?: unknown;
    };
    readonly locales?: Readonly<
      Record<string, { readonly title?: string; readonly link?: string }>
    >;
  };
  transformHead?: (page: VitePressPage) => unknown;
  buildEnd?: (site: VitePressSite) => unknown;
}

/** A page that is written. `page` is the path of its Markdown. */
interface VitePressPage {
  readonly page: string;
  readonly pageData: { readonly frontmatter: Readonly<Record<string, unknown>> };
}

/** A plugin of Vite, as far as this one goes. */
export interface VitePressPlugin {
  readonly name: string;
  readonly enforce: 'pre';
  config(): { resolve: { alias: { find: RegExp; replacement: string }[] } };
  configResolved(config: { readonly command: string }): void;
  resolveId(id: string): string | undefined;
  load(id: string): string | undefined;
}

/** The pages are read without the names of languages above code. */
const preset: PagePreset = {
  content: '.vp-doc, .VPHome, .VPPage',
  ignore: 'span.lang, .VPSkipLink, .VPLocalNav',
};

/**
 * Indexes the site after `vitepress build`, and puts the search box in the place of the default theme's. A build that cannot
 * be indexed fails with the builder's `AmbryError`. In the dev server, the box says that the build makes the index.
 *
 * @example
 * export default defineConfig({ vite: { plugins: [ambrySearch()] } });
 */
export function ambrySearch(options: VitePressSearchOptions = {}): VitePressPlugin {
  const sites = new WeakSet<VitePressSite>();
  let source = '';
  return {
    name: 'ambry-site-search',
    enforce: 'pre',
    config: () => ({
      resolve: {
        alias: [{ find: /^.*\/VPNavBarSearch\.vue$/, replacement: box }],
      },
    }),
    configResolved(config) {
      const site = siteOf(config);
      const { base } = site.site;
      const isBuilt = config.command === 'build';
      source = boxModule({ base, locales: localesOf(site), isBuilt }, options);
      // VitePress resolves the configuration once for pages and once for the server, with one site.
      if (sites.has(site)) {
        return;
      }
      sites.add(site);
      indexAfter(site, options);
    },
    resolveId: (id) => (id === boxModuleName ? `\0${id}` : undefined),
    load: (id) => (id === `\0${boxModuleName}` ? source : undefined),
  };
}

const box = fileURLToPath(new URL('search-box.js', import.meta.url));

function siteOf(config: object): VitePressSite {
  const site = 'vitepress' in config ? (config.vitepress as VitePressSite | undefined) : undefined;
  if (site) {
    return site;
  }
  const message =
    'ambry-site-search/vitepress is for VitePress: add it to vite.plugins in .vitepress/config. Other sites of Vite need the script tag only.';
  throw new AmbryError('Unsupported', message, { path: 'vite.plugins' });
}

/** Adds the index to what the build does at its end. */
function indexAfter(site: VitePressSite, options: VitePressSearchOptions): void {
  const { buildEnd, transformHead } = site;
  const { title, locales = {}, themeConfig } = site.site;
  if (themeConfig?.search ?? themeConfig?.algolia) {
    site.logger.warn(
      'search: themeConfig.search is not used, because ambry-site-search replaces it.',
    );
  }
  const titles = [title, ...Object.values(locales).map((locale) => locale.title ?? '')];
  const titleSuffix = titles.filter((one) => one !== '').map((one) => ` | ${one}`);
  /** VitePress's own way to leave a page out: `search: false` in its front matter. */
  const hidden = new Set<string>();
  site.transformHead = (one) => {
    if (one.pageData.frontmatter['search'] === false) {
      hidden.add(one.page.replace(/\.md$/, '.html'));
    }
    return transformHead?.(one);
  };
  site.buildEnd = async (built) => {
    await buildEnd?.(built);
    const pages = {
      ...preset,
      exclude: (path: string) => hidden.has(path),
      titleSuffix,
      cleanUrls: built.cleanUrls === true,
    };
    await indexSite(built.outDir, options, pages, built.logger, Object.values(localesOf(built)));
  };
}

/** `root` is the locale without a folder. Locales with addresses of their own, such as other hosts, are not indexed. */
function localesOf({ site: { locales = {} } }: VitePressSite): LocaleFolders {
  const names = Object.keys(locales).filter((name) => {
    const { link = `/${name}/` } = locales[name] ?? {};
    return name === 'root' || link === `/${name}/`;
  });
  if (names.length === 0) {
    return oneLocale;
  }
  return Object.fromEntries(names.map((name) => [name, name === 'root' ? '' : name]));
}
