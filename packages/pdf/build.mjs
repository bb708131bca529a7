// Writes dist/pdfjs.js, which has PDF.js in it, and dist/pdf-worker.js, which has all else that the worker needs: a worker of a
// page without a bundler finds no package by its name. packages/build.mjs calls this after tsc.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { licensesIn } from '../build/licenses.mjs';
import { actualTexts } from './actual-texts.mjs';

const dist = fileURLToPath(new URL('./dist/', import.meta.url));

async function bundle(name, options) {
  const build = await rolldown({
    input: `${dist}${name}.js`,
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'] },
    ...options,
  });
  await build.write({
    file: `${dist}${name}.js`,
    // Names stay as they are: some of PDF.js's are looked up by text.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    comments: { jsdoc: false },
    banner: licensesIn,
  });
  await build.close();
}

await bundle('pdfjs', { plugins: [actualTexts] });
await bundle('pdf-worker', { external: /\/pdfjs\.js$/ });
// No entry needs these, and the types of PDF.js are not in the package.
for (const name of ['pdfjs', 'pdf-worker', 'node', 'register']) {
  rmSync(`${dist}${name}.d.ts`);
}
