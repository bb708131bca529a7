// Builds dist/: the npm package from web/src/ (JavaScript and its types beside the WebAssembly) and, from web/demo/,
// the samples in web/demo/public/samples/ and the site in packages/demo/site/. Before the site it builds the packages in
// packages/. Run wasm/build.mjs first.
//
//   node web/build.mjs [package | pages]
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundlePackage, typedEntries } from './build/bundle.mjs';
import { rollUpTypes } from './build/types.mjs';
import { writeEntries } from './build/write-entries.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

function run(tool, ...args) {
  execFileSync(`${root}node_modules/.bin/${tool}`, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

async function buildPackage() {
  rmSync(`${root}dist`, { recursive: true, force: true });
  writeEntries();
  run('tsc', '-p', 'web/tsconfig.build.json');
  await rollUpTypes(typedEntries);
  await bundlePackage();
  // The workers have the glue and the loaders in them. The module with everything is a package of its own.
  const isWhole = (path) => /\/ambry-(baseline|relaxed)\.wasm$/.test(path);
  const isWanted = (path) => !/\.(mjs|mts|ts)$/.test(path) && !isWhole(path);
  cpSync(`${root}web/src/wasm`, `${root}dist/wasm`, { recursive: true, filter: isWanted });
  const whole = `${root}packages/whole/wasm`;
  const isWasm = (path) => isWhole(path) || path.endsWith('/wasm');
  cpSync(`${root}web/src/wasm`, whole, { recursive: true, filter: isWasm });
  chmodSync(`${root}dist/cli/main.js`, 0o755);
  // The packages of packages/ are built on top of it.
  execFileSync(process.execPath, [`${root}packages/build.mjs`], { stdio: 'inherit' });
}

async function buildPages() {
  await import('./build/samples.mjs');
  // The documentation lies in the site, but docs/site/build.ts makes it.
  const site = `${root}packages/demo/site/`;
  mkdirSync(site, { recursive: true });
  for (const name of readdirSync(site).filter((name) => name !== 'docs')) {
    rmSync(site + name, { recursive: true });
  }
  run('vite', 'build', '--config', 'web/vite.config.ts', '--logLevel', 'warn');
}

const [part] = process.argv.slice(2);
if (part !== 'pages') {
  await buildPackage();
}
if (part !== 'package') {
  await buildPages();
}
