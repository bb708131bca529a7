// Builds the documentation site to packages/demo/site/docs, from which `ambry demo` and any static host serve it.
//
//   npm run docs [-- --base /path/of/the/site/]
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'vitepress';
import { externalizeScripts } from './external-scripts.ts';
import { stagePages } from './stage.ts';

const { values } = parseArgs({ options: { base: { type: 'string', default: '/docs/' } } });
const { base } = values;
if (!/^\/(.+\/)?$/.test(base)) {
  console.error(`docs: --base is the path of the site, such as /docs/ or /: not ${base}`);
  process.exit(2);
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const start = performance.now();
await stagePages(root, join(root, 'build/docs/pages'));
const outDir = join(root, 'packages/demo/site/docs');
mkdirSync(outDir, { recursive: true });
await build(join(root, 'docs'), { outDir, base });
const pages = readdirSync(outDir, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.html'),
);
const scripts = new Map<string, string>();
for (const page of pages) {
  const path = join(outDir, page);
  writeFileSync(path, externalizeScripts(readFileSync(path, 'utf8'), base, scripts));
}
for (const [name, text] of scripts) {
  mkdirSync(dirname(join(outDir, name)), { recursive: true });
  writeFileSync(join(outDir, name), text);
}
const seconds = ((performance.now() - start) / 1000).toFixed(1);
console.log(`docs: ${pages.length} pages in packages/demo/site/docs, in ${seconds} s`);
