// Makes dist/browser/: the script that lies beside an index, `ambry-search.js`, and what it fetches later. It has everything that
// a page needs, so that a site serves it as it is. packages/build.mjs calls this after tsc.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { licensesIn } from '../build/licenses.mjs';
import { plainImports } from '../build/plain-imports.ts';

const dist = fileURLToPath(new URL('./dist/', import.meta.url));
const { css } = await import('./dist/element/styles.js');
const { elementBanner, elementFolder, elementScript } = await import(
  './dist/shared/element-paths.js'
);

// For browsers that take no sheet from a script (src/element/styles.ts).
writeFileSync(`${dist}element/ambry-search.css`, css);

// Names that never stand for something else can be cached for ever.
const hashed = `${elementFolder}/[name]-[hash:8]`;
const files = {
  chunkFileNames: `${hashed}.js`,
  assetFileNames: `${hashed}[extname]`,
  hashCharacters: 'base64',
};

/** The licenses of libraries, also of those that are part of the files of `ambry`: their first comments. */
function notices(chunk) {
  const first = chunk.moduleIds
    .filter((id) => existsSync(id))
    .map((id) => /^\s*(\/\*!.*?\*\/)/s.exec(readFileSync(id, 'utf8'))?.[1]);
  return [licensesIn(chunk), ...new Set(first)].filter(Boolean).join('\n');
}

await build({
  configFile: false,
  root: dist,
  base: './',
  publicDir: false,
  logLevel: 'warn',
  plugins: [plainImports()],
  worker: {
    format: 'es',
    rolldownOptions: { output: { ...files, entryFileNames: `${hashed}.js` } },
  },
  build: {
    outDir: 'browser',
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      input: { [elementScript.replace('.js', '')]: `${dist}element/browser-script.js` },
      output: {
        ...files,
        entryFileNames: '[name].js',
        postBanner: (chunk) => (chunk.isEntry ? `${elementBanner} */\n` : '') + notices(chunk),
      },
    },
  },
});
// The script for pages without a bundler is of use beside an index only.
for (const ending of ['js', 'd.ts']) {
  rmSync(`${dist}element/browser-script.${ending}`);
}
