// Builds the site from demo/ into packages/demo/site. The pages import the package by its public name, which
// resolves through package.json to dist/: build the package first.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { plainImports } from '../packages/build/plain-imports.ts';
import { serviceWorker } from './build/service-worker-plugin.ts';
import { glossaryTerms } from './build/terms-plugin.ts';
import { homePath, missingPath, sitePages } from './demo/shell/pages.ts';

const demo = fileURLToPath(new URL('./demo/', import.meta.url));

/** What a page may do, also where the server sends no header of its own. Models come from any address
 *  that the person at the page types in, hence the open connect-src. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self' https: http:",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** The pages, and the documentation, which docs/site/build.ts adds to the built site. On narrow screens the button before
 *  it opens it as a menu. */
function navigation(current: string, root: string): string {
  const items = sitePages.map(({ path, name }) => {
    const mark = path === current ? ' aria-current="page"' : '';
    return `<li><a href="${root}${path}"${mark}>${name}</a></li>`;
  });
  const docs = `<li><a href="${root}docs/">Docs</a></li>`;
  return `<nav class="nav" id="site-menu" popover aria-label="Site"><ul>${items.join('')}${docs}</ul></nav>`;
}

/** `words/index.html` → `words`. The styles know by it which accent the page has. */
const roomOf = (page: string): string => (page.includes('/') ? page.split('/')[0] : '') || 'home';

/** Fills `<!--shell:name-->` with demo/shell/name.html, so that the pages share one head, header and footer. */
function shell(): Plugin {
  let building = false;
  return {
    name: 'ambry-shell',
    configResolved: (config) => {
      building = config.command === 'build';
    },
    transformIndexHtml: {
      order: 'pre',
      handler(html, { path }) {
        const page = path.replace(/^\//, '');
        const root = '../'.repeat(page.split('/').length - 1) || './';
        const current = sitePages.find((one) => one.path === page)?.name ?? 'Pages';
        const home = page === homePath ? ' aria-current="page"' : '';
        const fill = (_: string, part: string): string =>
          readFileSync(`${demo}shell/${part}.html`, 'utf8')
            .replaceAll('%root%', root)
            .replace('%nav%', navigation(page, root))
            .replaceAll('%current%', current)
            .replace('%home%', home);
        const policy = `<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}" />`;
        // The development server injects inline styles, so the policy is for the built site only.
        return html
          .replace('<html lang="en">', `<html lang="en" data-page="${roomOf(page)}">`)
          .replace(/<!--shell:([a-z]+)-->/g, fill)
          .replace('<meta charset="utf-8" />', (charset) =>
            building ? charset + policy : charset,
          );
      },
    },
  };
}

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
  /^(?!.*\/node_modules\/).*\/(dist\/(errors|index|runtime\/client)\.js|demo\/shared\/((base\/(debounce|format|store)|dom\/(copy-button|dom)|files\/(drop-zone|given-files|save-file)|handover\/(handover|receive-handed)|jobs\/(jobs|work-view)|site\/runtime)\.ts))$/;

export default defineConfig({
  root: demo,
  // Relative addresses: the site works from any folder of any server.
  base: './',
  plugins: [shell(), glossaryTerms(), licenses(), plainImports(), serviceWorker()],
  worker: { format: 'es' },
  build: {
    outDir: fileURLToPath(new URL('../packages/demo/site/', import.meta.url)),
    emptyOutDir: true,
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
            // The service worker does not keep what this file names: see site-files.ts.
            { name: 'samples', test: /\/demo\/shared\/samples\/samples\.ts$/ },
          ],
        },
      },
    },
  },
});
