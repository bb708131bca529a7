// Builds dist/: the npm package from web/src/ (JavaScript and its types beside the WebAssembly) and, from web/demo/,
// the site in dist/site/. Then it builds the packages in packages/. Run wasm/build.mjs first.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
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
run('vite', 'build', '--config', 'web/vite.config.ts', '--logLevel', 'warn');
// The packages of packages/ are built on top of it.
execFileSync(process.execPath, [`${root}packages/build.mjs`], { stdio: 'inherit' });
