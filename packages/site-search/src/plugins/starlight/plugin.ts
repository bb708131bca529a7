// `ambry-site-search/starlight`: a plugin that indexes a Starlight site after its build, and replaces its search.
import { type AstroSearchIntegration, searchIntegration } from '../astro/integration.ts';
import type { PagePreset, PluginLogger } from '../shared/index-site.ts';
import type { SearchPluginOptions } from '../shared/options.ts';
import { type LocaleFolders, oneLocale } from '../shared/virtual-box.ts';

export type StarlightSearchOptions = SearchPluginOptions;

/** What the plugin reads of Starlight's configuration, and changes. */
interface StarlightConfig {
  readonly title?: string | Readonly<Record<string, string>>;
  readonly titleDelimiter?: string;
  readonly locales?: Readonly<Record<string, unknown>> | undefined;
  readonly components?: Readonly<Record<string, string | undefined>>;
}

interface SetupEvent {
  readonly config: StarlightConfig;
  readonly logger: PluginLogger;
  updateConfig(config: { pagefind: false; components: Record<string, string> }): void;
  addIntegration(integration: AstroSearchIntegration): void;
}

/** A plugin of Starlight, as far as this one goes. */
export interface StarlightSearchPlugin {
  readonly name: string;
  readonly hooks: { 'config:setup'(event: SetupEvent): void };
}

const component = 'ambry-site-search/starlight/search.astro';

/** Titles are outside of what Starlight marks for its own search. */
const preset: PagePreset = {
  content: '.sl-markdown-content, h1[data-page-title], .hero',
  ignore: '.sr-only, .sl-anchor-link, [data-pagefind-ignore]',
  // Starlight leaves this mark away for pages with `pagefind: false`.
  requires: '[data-pagefind-body]',
};

/**
 * Indexes the site after `astro build`, and puts the search box in the place of Starlight's, which Pagefind serves. A build
 * that cannot be indexed fails with the builder's `AmbryError`. In the dev server, the box says that the build makes the
 * index.
 *
 * @example
 * starlight({ title: 'My docs', plugins: [ambrySearch()] });
 */
export function ambrySearch(options: StarlightSearchOptions = {}): StarlightSearchPlugin {
  return {
    name: 'ambry-site-search',
    hooks: {
      'config:setup'({ config, logger, updateConfig, addIntegration }) {
        const { Search, ...components } = config.components ?? {};
        if (Search) {
          logger.warn(`${Search} stays the search box, as the configuration states.`);
        }
        const own = Search ?? component;
        updateConfig({
          pagefind: false,
          components: { ...defined(components), Search: own },
        });
        const pages = { ...preset, titleSuffix: suffixesOf(config) };
        addIntegration(searchIntegration(options, pages, localesOf(config)));
      },
    },
  };
}

const defined = (components: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.entries(components).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** `root` is the locale without a folder. */
function localesOf({ locales }: StarlightConfig): LocaleFolders {
  if (!locales) {
    return oneLocale;
  }
  const names = Object.keys(locales);
  return Object.fromEntries(names.map((name) => [name, name === 'root' ? '' : name]));
}

function suffixesOf({ title = '', titleDelimiter = '|' }: StarlightConfig): string[] {
  const titles = typeof title === 'string' ? [title] : Object.values(title);
  return titles.filter((one) => one !== '').map((one) => ` ${titleDelimiter} ${one}`);
}
