// Builds the site from demo/ into packages/demo/site. The pages import the package by its public name, which
// resolves through package.json to dist/: build the package first.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { plainImports } from '../packages/build/plain-imports.ts';
import { accents, pages } from './build/pages-plugin.ts';
import { serviceWorker } from './build/service-worker-plugin.ts';
import { glossaryTerms } from './build/terms-plugin.ts';
import { homePath, missingPath, sitePages } from './demo/shell/pages.ts';

const demo = fileURLToPath(new URL('./demo/', import.meta.url));

/** Our license, and that of the typeface, which may be passed on only with it. */
function licenses(): Plugin {
  const font = import.meta.resolve('@fontsource-variable/brygada-1918/LICENSE');
  return {
    name: 'ambry-licenses',
    generateBundle() {
      for (const [fileName, url] of [
        ['LICENSE.txt', new URL('../LICENSE', import.meta.url)],
        ['assets/brygada-1918.LICENSE.txt', new URL(font)],
      ] as const) {
        this.emitFile({ type: 'asset', fileName, source: readFileSync(url) });
      }
    },
  };
}

/** Other packages have a dist/ of their own. */
const everyPage =
  /^(?!.*\/node_modules\/).*\/(dist\/(errors|index|runtime\/client)\.js|demo\/shared\/((base\/(debounce|format|store)|dom\/(close-menus|copy-button|dom)|files\/(drop-zone|given-files|open-file|save-file)|handover\/(handover|receive-handed)|jobs\/(jobs|work-view)|page\/mount-page|site\/(runtime|site-root))\.ts))$/;

/** The pages with a model need all of these at once. */
const linksAndShares =
  /\/demo\/shared\/(share\/share-view|page-address\/(page-address|parameters))\.ts$/;

export default defineConfig({
  root: demo,
  // Relative addresses: the site works from any folder of any server.
  base: './',
  plugins: [pages(), accents(), glossaryTerms(), licenses(), plainImports(), serviceWorker()],
  worker: { format: 'es' },
  build: {
    outDir: fileURLToPath(new URL('../packages/demo/site/', import.meta.url)),
    // web/build.mjs empties it, but for the documentation.
    emptyOutDir: false,
    target: 'es2022',
    // Nothing becomes a data: address, which the pages' own policy forbids.
    assetsInlineLimit: 0,
    // The scripts that a page imports are named in its HTML, so that they come together.
    modulePreload: { polyfill: false },
    // In kilobytes. PDF.js is larger than the usual limit, and only PDFs load it.
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      input: [homePath, missingPath, ...sitePages.map(({ path }) => path)].map(
        (path) => `${demo}${path}`,
      ),
      output: {
        // Hashes are what compresses worst of a page's code, and names tell most files apart.
        assetFileNames: 'assets/[name]-[hash:8][extname]',
        chunkFileNames: 'assets/[name]-[hash:8].js',
        // What every page loads at once in one file, which compresses better than the many that the
        // bundler would make of it.
        codeSplitting: {
          groups: [
            { name: 'page', test: everyPage },
            { name: 'share-view', test: linksAndShares },
            // The service worker does not keep what this file names: see site-files.ts.
            { name: 'samples', test: /\/demo\/shared\/samples\/samples\.ts$/ },
          ],
        },
      },
    },
  },
});
