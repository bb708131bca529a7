// A plugin of Vite for pages of which nothing that is imported later has styles.

import type { Plugin } from 'vite';

/** What Vite writes around a page's later imports, to wait for their styles. */
const wrappedImport =
  /__vitePreload\((?:async )?\(\) => (?:\{\s*const (\{[^}]*\}) = await (import\([^)]*\));\s*return \1;\s*\}|(import\([^)]*\)[^,]*)), __VITE_PRELOAD__, import\.meta\.url\)/g;

/** Leaves out the code that would wait. */
export function plainImports(): Plugin {
  return {
    name: 'ambry-plain-imports',
    enforce: 'pre',
    load: (id) =>
      id.includes('vite/preload-helper')
        ? 'export const __vitePreload = (load) => load();'
        : undefined,
    renderChunk: {
      order: 'post',
      handler: (code) => code.replace(wrappedImport, '$2$3'),
    },
  };
}
