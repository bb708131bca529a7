// A module that Vite's plugins make, with what the components of the search box need to know.
import { boxAttributes, indexUrl, type SearchPluginOptions, scriptUrl } from './options.ts';

export const boxModuleName = 'virtual:ambry-site-search';

/** The folder of each locale in the site, by the generator's name of the locale. The first one is that of other pages. */
export type LocaleFolders = Readonly<Record<string, string>>;

export const oneLocale: LocaleFolders = { root: '' };

interface BoxSite {
  /** The path of the site. */
  readonly base: string;
  readonly locales: LocaleFolders;
  /** Dev servers have no index. */
  readonly isBuilt: boolean;
}

/** The source of the module (`generators.d.ts`). */
export function boxModule(
  { base, locales, isBuilt }: BoxSite,
  options: SearchPluginOptions,
): string {
  const sources = Object.fromEntries(
    Object.entries(locales).map(([name, folder]) => [name, indexUrl(base, options, folder)]),
  );
  const script = isBuilt ? scriptUrl(base, options, Object.values(locales)[0]) : undefined;
  return [
    `export const script = ${script === undefined ? 'undefined' : JSON.stringify(script)};`,
    `export const attributes = ${JSON.stringify(boxAttributes(options))};`,
    `const sources = new Map(${JSON.stringify(Object.entries(sources))});`,
    'export const sourceOf = (locale) => sources.get(locale) ?? [...sources.values()][0];',
    '',
  ].join('\n');
}
