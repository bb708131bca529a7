// A module that Vite's plugins make, with what the components of the search box need to know.
import { boxAttributes, boxPlace, type SearchPluginOptions, scriptUrl } from './options.ts';

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
  const places = Object.entries(locales).map(
    ([name, folder]) => [name, boxPlace(base, options, folder)] as const,
  );
  const first = places[0]?.[1];
  const script = isBuilt && first ? JSON.stringify(scriptUrl(first)) : 'undefined';
  return [
    `export const script = ${script};`,
    `export const attributes = ${JSON.stringify(boxAttributes(options))};`,
    `const places = new Map(${JSON.stringify(places)});`,
    'export const placeOf = (locale) => places.get(locale) ?? [...places.values()][0];',
    '',
  ].join('\n');
}
