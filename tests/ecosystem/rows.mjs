// Every bundler and runtime that is tried, and how. `tools` are the packages whose versions the table shows. `line` is what
// an app needs besides the import; none, where it is left out. `packages` are installed besides `ambry`. `refusal` is part of the error that names the line to add,
// where the package cannot work.
import { readFileSync, writeFileSync } from 'node:fs';
import { run, withServer } from '../support/processes.ts';
import { serveFolder } from './support/assets.mjs';
import { checkInExtension, checkInPage } from './support/browser.mjs';

/**
 * @typedef {{ folder: string, assets: string }} Place
 * @typedef {{ name: string, app: string, tools: string[], line?: string, refusal?: string, packages?: string[],
 *   check: (place: Place) => Promise<unknown> }} Row
 */

const bin = (folder, name) => `${folder}node_modules/.bin/${name}`;
const inPage = (url, { assets }) => checkInPage(`${url}#${assets}`);

/** Builds with a tool, and opens a folder of the app as a site. */
const built =
  (tool, args, site = '.') =>
  async (place) => {
    await run(bin(place.folder, tool), args, { cwd: place.folder });
    return opened(`${place.folder}${site}`, place);
  };

async function opened(folder, place, path = '') {
  const server = await serveFolder(folder);
  try {
    return await inPage(`${server.url}${path}`, place);
  } finally {
    server.close();
  }
}

/** Starts a tool that is a server, after a build if there is one. `routes` are asked for, and answer what they have computed;
 *  `''` is the page, which computes in the browser. */
const served =
  (tool, args, { build, routes = [''], env, command } = {}) =>
  async (place) => {
    const cwd = place.folder;
    if (build) {
      await run(bin(cwd, tool), build, { cwd, env });
    }
    return withServer(command ?? bin(cwd, tool), args, { cwd, env }, async (url) => {
      const results = [];
      for (const route of routes) {
        results.push(await (route === '' ? inPage(url, place) : answerOf(url, route, place)));
      }
      return results;
    });
  };

async function answerOf(url, route, { assets }) {
  const response = await fetch(`${url}${route}?assets=${encodeURIComponent(assets)}`);
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`${route} answered ${response.status}: ${text.slice(0, 500)}`);
  }
  return JSON.parse(text);
}

/** Runs the program by a runtime of the command line. */
const commanded =
  (command, args, input) =>
  async ({ folder, assets }) => {
    const path = command.startsWith('node_modules/') ? `${folder}${command}` : command;
    const out = await run(path, args, { cwd: folder, env: { ASSETS: assets }, input });
    return JSON.parse(out.split('\n').find((line) => line.startsWith('{')) ?? '');
  };

const nodeOf = (version) => `node_modules/node${version}/bin/node`;
const program = "import('./program/command.mjs');";
const staticProgram = readFileSync(new URL('program/command.mjs', import.meta.url), 'utf8').replace(
  './check.js',
  './program/check.js',
);
const next = (flags) =>
  served('next', ['start', '-p', 'PORT', '-H', '127.0.0.1'], {
    build: ['build', ...flags],
    routes: ['', 'api/check'],
    env: { NEXT_TELEMETRY_DISABLED: '1' },
  });
const viteDev = ['--port', 'PORT', '--strictPort', '--host', '127.0.0.1'];

const jest = commanded(process.execPath, [
  '--experimental-vm-modules',
  'node_modules/jest/bin/jest.js',
]);

/** Builds with Parcel, with these settings in package.json. */
const parcel = (settings) => async (place) => {
  const path = `${place.folder}package.json`;
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...manifest, ...settings }));
  return built('parcel', ['build', 'index.html', '--no-cache'], 'dist')(place);
};

/** For bundlers that leave the scripts of workers out. docs/bundlers.md shows the line. */
const whole = { packages: ['ambry-whole'], line: "import 'ambry-whole'" };
const esbuild = (...flags) => built('esbuild', ['main.js', '--bundle', ...flags, '--outdir=dist']);

/** @type {Row[]} */
export const rows = [
  { name: 'Vite 8, build', app: 'vite8', tools: ['vite'], check: built('vite', ['build'], 'dist') },
  { name: 'Vite 8, dev', app: 'vite8', tools: ['vite'], check: served('vite', viteDev) },
  { name: 'Vite 7, build', app: 'vite7', tools: ['vite'], check: built('vite', ['build'], 'dist') },
  { name: 'Vite 7, dev', app: 'vite7', tools: ['vite'], check: served('vite', viteDev) },
  {
    name: 'Vite 7, dev, excluded',
    app: 'vite7',
    tools: ['vite'],
    line: "vite.config.js: optimizeDeps: { exclude: ['ambry'] }",
    check: async (place) => {
      const config = "export default { optimizeDeps: { exclude: ['ambry'] } };";
      writeFileSync(`${place.folder}vite.config.js`, config);
      return served('vite', viteDev)(place);
    },
  },
  {
    name: 'Astro, build',
    app: 'astro',
    tools: ['astro'],
    check: built('astro', ['build'], 'dist'),
  },
  {
    name: 'Astro, dev',
    app: 'astro',
    tools: ['astro'],
    check: served('astro', ['dev', '--port', 'PORT', '--host', '127.0.0.1'], {
      env: { ASTRO_TELEMETRY_DISABLED: '1' },
    }),
  },
  { name: 'webpack', app: 'webpack', tools: ['webpack'], check: built('webpack', []) },
  { name: 'Rspack', app: 'rspack', tools: ['@rspack/core'], check: built('rspack', ['build']) },
  {
    name: 'Rsbuild',
    app: 'rsbuild',
    tools: ['@rsbuild/core'],
    check: built('rsbuild', ['build'], 'dist'),
  },
  { ...whole, name: 'esbuild', app: 'esbuild', tools: ['esbuild'], check: esbuild('--format=esm') },
  {
    ...whole,
    name: 'esbuild, splitting',
    app: 'esbuild',
    tools: ['esbuild'],
    check: esbuild('--format=esm', '--splitting'),
  },
  {
    ...whole,
    name: 'esbuild, one script',
    app: 'esbuild',
    tools: ['esbuild'],
    check: esbuild('--format=iife'),
  },
  {
    name: 'esbuild, without the line',
    app: 'esbuild',
    tools: ['esbuild'],
    refusal: "add this line: import 'ambry-whole'",
    check: async (place) => {
      const path = `${place.folder}main.js`;
      writeFileSync(path, readFileSync(path, 'utf8').replace("import 'ambry-whole';\n", ''));
      return esbuild('--format=esm')(place);
    },
  },
  {
    ...whole,
    name: 'Rollup',
    app: 'rollup',
    tools: ['rollup'],
    check: built('rollup', ['-c']),
  },
  {
    ...whole,
    name: 'Rolldown',
    app: 'rolldown',
    tools: ['rolldown'],
    check: built('rolldown', ['main.js', '--format', 'esm', '--platform', 'browser', '-d', 'dist']),
  },
  {
    name: 'Parcel',
    app: 'parcel',
    tools: ['parcel'],
    line: 'package.json: "@parcel/resolver-default": { "packageExports": true }, "@parcel/bundler-default": { "minBundles": 1000000 }',
    check: parcel({
      '@parcel/resolver-default': { packageExports: true },
      '@parcel/bundler-default': { minBundles: 1e6 },
    }),
  },
  {
    name: 'Parcel, without the second line',
    app: 'parcel',
    tools: ['parcel'],
    refusal: 'add to package.json: "@parcel/bundler-default": { "minBundles": 1000000 }',
    check: parcel({ '@parcel/resolver-default': { packageExports: true } }),
  },
  { name: 'Next (Turbopack), page and route', app: 'next', tools: ['next'], check: next([]) },
  {
    name: 'Next --webpack, page and route',
    app: 'next',
    tools: ['next'],
    check: next(['--webpack']),
  },
  {
    name: 'SvelteKit, dev, page',
    app: 'sveltekit',
    tools: ['@sveltejs/kit', 'vite'],
    check: served('vite', ['dev', ...viteDev]),
  },
  {
    name: 'SvelteKit, page and route',
    app: 'sveltekit',
    tools: ['@sveltejs/kit', 'vite'],
    check: served('vite', ['preview', ...viteDev], { build: ['build'], routes: ['', 'check'] }),
  },
  {
    name: 'Nuxt, page and route',
    app: 'nuxt',
    tools: ['nuxt'],
    check: served('nuxt', ['.output/server/index.mjs'], {
      build: ['build'],
      command: process.execPath,
      routes: ['', 'api/check'],
    }),
  },
  {
    name: 'Page, package from another origin',
    app: 'pages',
    tools: ['chromium'],
    check: (place) => opened(place.folder, place, 'cdn.html'),
  },
  {
    name: 'SharedWorker',
    app: 'pages',
    tools: ['chromium'],
    check: (place) => opened(place.folder, place, 'shared-worker.html'),
  },
  {
    name: 'Extension (MV3), page',
    app: 'extension',
    tools: ['chromium'],
    check: ({ folder, assets }) => checkInExtension(folder, `page.html#${assets}`),
  },
  {
    name: 'Extension (MV3), service worker',
    app: 'extension',
    tools: ['chromium'],
    line: "import … from 'ambry/in-thread' and 'ambry/passages/in-thread', and import 'ambry-pdf/in-thread'",
    check: ({ folder, assets }) => checkInExtension(folder, `page.html?in-thread#${assets}`),
  },
  {
    name: "Extension (MV3), service worker, 'ambry'",
    app: 'extension',
    tools: ['chromium'],
    refusal: "Import from 'ambry/in-thread' in the place of 'ambry'.",
    check: ({ folder, assets }) => checkInExtension(folder, `page.html?index#${assets}`),
  },
  {
    name: 'workerd',
    app: 'workerd',
    tools: ['wrangler', 'workerd'],
    packages: ['ambry-whole'],
    line: 'npm install ambry-whole',
    check: served('wrangler', ['dev', '--port', 'PORT', '--ip', '127.0.0.1'], {
      routes: ['check'],
      env: { WRANGLER_SEND_METRICS: 'false', CI: '1' },
    }),
  },
  ...['20.3', '20', '22', '24'].map((version) => ({
    name: `Node ${version}`,
    app: 'node',
    tools: [`node${version}`],
    check: commanded(nodeOf(version), ['program/command.mjs']),
  })),
  {
    name: 'node -e',
    app: 'node',
    tools: ['node24'],
    check: commanded(nodeOf(24), ['-e', program]),
  },
  {
    name: 'node --input-type=module, stdin',
    app: 'node',
    tools: ['node24'],
    check: commanded(nodeOf(24), ['--input-type=module'], staticProgram),
  },
  {
    name: 'Deno',
    app: 'deno',
    tools: ['deno'],
    check: commanded('node_modules/.bin/deno', ['run', '-A', 'program/command.mjs']),
  },
  {
    name: 'Bun',
    app: 'bun',
    tools: ['bun'],
    check: commanded('node_modules/.bin/bun', ['program/command.mjs']),
  },
  {
    name: "Jest's jsdom",
    app: 'jest',
    tools: ['jest', 'jest-environment-jsdom'],
    line: "jest.config.js: testEnvironmentOptions: { customExportConditions: ['node'] }",
    check: async (place) => {
      const settings = {
        testEnvironment: 'jsdom',
        testEnvironmentOptions: { customExportConditions: ['node'] },
      };
      writeFileSync(`${place.folder}jest.config.js`, `export default ${JSON.stringify(settings)};`);
      return jest(place);
    },
  },
  {
    name: "Jest's jsdom, without the line",
    app: 'jest',
    tools: ['jest', 'jest-environment-jsdom'],
    refusal: "add testEnvironmentOptions: { customExportConditions: ['node'] }",
    check: (place) => jest(place),
  },
];
