// Builds dist/: the npm package from web/src/ (JavaScript and its types beside the WebAssembly), then the packages in
// packages/, and from web/demo/ the site in dist/site/. Run wasm/build.mjs first.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundlePackage } from './bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

function run(tool, ...args) {
  execFileSync(`${root}node_modules/.bin/${tool}`, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

// The site is left alone until Vite replaces it, so that a running server keeps serving.
if (existsSync(`${root}dist`)) {
  for (const name of readdirSync(`${root}dist`)) {
    if (name !== 'site') rmSync(`${root}dist/${name}`, { recursive: true });
  }
}
run('tsc', '-p', 'web/tsconfig.build.json');
await bundlePackage();
// The workers have the glue and the loaders in them.
const isWanted = (path) => !/(?<!\.d)\.(mjs|ts)$/.test(path);
cpSync(`${root}web/src/wasm`, `${root}dist/wasm`, { recursive: true, filter: isWanted });
chmodSync(`${root}dist/cli/main.js`, 0o755);
for (const name of readdirSync(`${root}packages`)) {
  const folder = `packages/${name}`;
  if (!existsSync(`${root}${folder}/package.json`)) continue;
  rmSync(`${root}${folder}/dist`, { recursive: true, force: true });
  run('tsc', '-p', folder);
  const { bin = {} } = JSON.parse(readFileSync(`${root}${folder}/package.json`, 'utf8'));
  for (const path of Object.values(bin)) chmodSync(`${root}${folder}/${path}`, 0o755);
}
run('vite', 'build', '--config', 'web/vite.config.ts', '--logLevel', 'warn');
// The packages of packages/ are built on top of it.
execFileSync(process.execPath, [`${root}packages/build.mjs`], { stdio: 'inherit' });
