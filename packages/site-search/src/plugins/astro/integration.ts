// `ambry-site-search/astro`: an integration that indexes an Astro site after its build. The component is beside it.
import { fileURLToPath } from 'node:url';
import { indexSite, type PagePreset, type PluginLogger } from '../shared/index-site.ts';
import type { SearchPluginOptions } from '../shared/options.ts';
import { boxModule, boxModuleName, type LocaleFolders, oneLocale } from '../shared/virtual-box.ts';

export type AstroSearchOptions = SearchPluginOptions;

/** What the integration reads of Astro's configuration. */
interface AstroSite {
  readonly base: string;
  readonly trailingSlash: 'always' | 'never' | 'ignore';
  readonly build: { readonly format: 'file' | 'directory' | 'preserve' };
  readonly i18n?: {
    readonly defaultLocale: string;
    readonly locales: readonly (
      | string
      | { readonly path: string; readonly codes: readonly string[] }
    )[];
    readonly routing: 'manual' | { readonly prefixDefaultLocale?: boolean };
  };
}

/** A plugin of Vite that makes a module. */
interface ModulePlugin {
  readonly name: string;
  resolveId(id: string): string | undefined;
  load(id: string): string | undefined;
}

interface SetupEvent {
  readonly command: string;
  readonly config: AstroSite;
  updateConfig(config: { vite: { plugins: ModulePlugin[] } }): unknown;
}

/** An integration, as far as this one goes. */
export interface AstroSearchIntegration {
  readonly name: string;
  readonly hooks: {
    'astro:config:setup'(event: SetupEvent): void;
    'astro:config:done'(event: { readonly config: AstroSite }): void;
    'astro:build:done'(event: { readonly dir: URL; readonly logger: PluginLogger }): Promise<void>;
  };
}

/**
 * Indexes the site after `astro build`. A build that cannot be indexed fails with the builder's `AmbryError`. The component
 * `ambry-site-search/astro/search-box.astro` is the search box; in the dev server it says that the build makes the index.
 *
 * @example
 * export default defineConfig({ integrations: [ambrySearch()] });
 */
export function ambrySearch(options: AstroSearchOptions = {}): AstroSearchIntegration {
  return searchIntegration(options, {});
}

/** The integration for themes, which know their pages and locales. */
export function searchIntegration(
  options: AstroSearchOptions,
  preset: PagePreset,
  locales?: LocaleFolders,
): AstroSearchIntegration {
  let site: AstroSite | undefined;
  return {
    name: 'ambry-site-search',
    hooks: {
      'astro:config:setup'({ command, config, updateConfig }) {
        const { base } = config;
        const isBuilt = command === 'build';
        const site = { base, locales: locales ?? localesOf(config), isBuilt };
        updateConfig({
          vite: { plugins: [modulePlugin(boxModule(site, options))] },
        });
      },
      'astro:config:done'({ config }) {
        site = config;
      },
      async 'astro:build:done'({ dir, logger }) {
        const pages = { ...addressesOf(site), exclude: isErrorPage, ...preset };
        const folders = Object.values(locales ?? localesOf(site));
        await indexSite(fileURLToPath(dir), options, pages, logger, folders);
      },
    },
  };
}

function modulePlugin(source: string): ModulePlugin {
  return {
    name: 'ambry-site-search',
    resolveId: (id) => (id === boxModuleName ? `\0${id}` : undefined),
    load: (id) => (id === `\0${boxModuleName}` ? source : undefined),
  };
}

/** `foo.html` is served at `foo`, unless pages are folders. */
function addressesOf(site: AstroSite | undefined): PagePreset {
  const isFile = site?.build.format !== 'directory';
  return { cleanUrls: isFile, trailingSlash: site?.trailingSlash !== 'never' };
}

/** The folders of Astro's own locales, by their codes. With routes of one's own, all are one site. */
function localesOf(site: AstroSite | undefined): LocaleFolders {
  if (!site?.i18n || site.i18n.routing === 'manual') {
    return oneLocale;
  }
  const { defaultLocale, locales, routing } = site.i18n;
  const all = locales.flatMap((locale) => {
    if (typeof locale === 'string') {
      return [[locale, locale]];
    }
    return locale.codes.map((code) => [code, locale.path]);
  });
  const folders = all.map(([code = '', path = '']) => {
    const isAtRoot = code === defaultLocale && routing.prefixDefaultLocale !== true;
    return [code, isAtRoot ? '' : path];
  });
  return Object.fromEntries(folders);
}

const isErrorPage = (path: string): boolean => /(^|\/)(404|500)(\/index)?\.html$/.test(path);
