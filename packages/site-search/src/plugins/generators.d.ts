// Modules that a generator makes when it builds a site.

declare module 'virtual:ambry-site-search' {
  /** The address of the script. Undefined in dev servers, which have no index. */
  export const script: string | undefined;
  export const attributes: Readonly<Record<string, string>>;
  /** The attributes `site` and `src` of a locale, or of the first one. */
  export function placeOf(locale: string): { readonly site: string; readonly src: string };
}

declare module 'vitepress' {
  export function useData(): {
    readonly localeIndex: { readonly value: string };
  };
}

declare module '*.css';

declare module '@docusaurus/useGlobalData' {
  export function usePluginData(plugin: string, id?: string): unknown;
}

declare module '@docusaurus/router' {
  export function useHistory(): { push(path: string): void };
}
