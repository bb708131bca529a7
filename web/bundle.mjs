// Makes the package's JavaScript. A page without a bundler fetches modules one after another, by depth of import,
// so what an entry needs at once is in few files; what it imports later stays apart, and a worker is one file.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const source = fileURLToPath(new URL('src/', import.meta.url));
const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const mitLicense = readFileSync(new URL('../LICENSE', import.meta.url), 'utf8');

const entries = ['index', 'node'];
const passages = ['passages/passages', 'passages/node-passages'];
/** Shares its later imports with the entries. No bundler splits it again. */
const nodeReader = 'passages/node-documents-worker';
const workerEntries = ['workers', 'passages'].flatMap((room) =>
  readdirSync(`${source}${room}`)
    .filter((file) => file.endsWith('worker.ts'))
    .map((file) => `${room}/${file.replace('.ts', '')}`)
    .filter((name) => name !== nodeReader),
);
const externals = [
  /^node:/,
  ...Object.keys(manifest.dependencies).map((name) => RegExp(`^${name}(/|$)`)),
];

/** The libraries that are part of our files need their licenses there. They are part, because a page without a bundler has
 *  no way to say where a worker finds a library, and bundlers treat those of other module systems in different ways. */
function licensesIn({ moduleIds }) {
  const folders = moduleIds.map((id) => /.*\/node_modules\/(@[^/]+\/)?[^/]+\//.exec(id)?.[0]);
  return [...new Set(folders)].filter(Boolean).sort().map(licenseIn).join('\n');
}

/** What a library has in itself. */
const noticesOf = {
  unpdf: `
PDF.js is in this file. Copyright Mozilla Foundation. Licensed under the Apache License, Version 2.0:
http://www.apache.org/licenses/LICENSE-2.0`,
};

function licenseIn(folder) {
  const { name, license, author } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));
  const file = readdirSync(folder).find((path) => /^licen[cs]e/i.test(path));
  if (!file && license !== 'MIT') throw new Error(`${name} has no text of its license ${license}`);
  const owner = (author?.name ?? author ?? name).replace(/ [<(].*/, '');
  const text = file
    ? readFileSync(`${folder}${file}`, 'utf8')
    : mitLicense.replace(/^Copyright .*$/m, `Copyright (c) ${owner}`);
  return `/*! ${name}\n${text.trim()}${noticesOf[name] ?? ''}\n*/`;
}

/** A path from web/src, with forward slashes and without its ending. */
const nameOf = (id) => relative(source, id).replaceAll('\\', '/').replace(/\.ts$/, '');

/** What pages and Node need at once, in one file. */
const sharedGroup = {
  name: 'runtime/client',
  tags: ['$initial'],
  test: (id) => /^(models$|(?!cli\/|passages\/|workers\/|\.\.\/)[^/]+\/)/.test(nameOf(id)),
};

const marker = '~ambry/';

/** Code moves to other files, and what it calls by a path from its own must be found from there: the path becomes a
 *  mark with the place from the top, and the mark a path from the new file. `others` are files of their own. */
function moved(others) {
  const place = (importer, path) => marker + posix.join(posix.dirname(nameOf(importer)), path);
  return {
    name: 'ambry-moved',
    resolveId: (path, importer) => {
      if (importer && path.endsWith('.wasm')) return { id: place(importer, path), external: true };
      const id = importer && place(importer, path).replace(/\.[jt]s$/, '');
      return others.some((name) => id === marker + name)
        ? { id: `${id}.js`, external: true }
        : null;
    },
    transform: (code, id) =>
      code
        .replace(
          /\bnew URL\((['"])([^'":]+)\1, ?import\.meta\.url\)/g,
          (_, quote, url) => `new URL(${quote}${place(id, url)}${quote}, import.meta.url)`,
        )
        .replace(
          /\bjoin\(here, (['"])([^'":]+)\1\)/g,
          (_, quote, path) => `join(here, ${quote}${place(id, path)}${quote})`,
        ),
    renderChunk: (code, { fileName }) =>
      code.replace(/(['"])~ambry\/(.*?)(\/?)\1/g, (_, quote, path, end) => {
        const url = posix.relative(posix.dirname(fileName), path);
        return `${quote}${url.startsWith('.') ? '' : './'}${url}${end}${quote}`;
      }),
  };
}

/** A variant of an entry: files that are taken in the place of others, by their names from web/src. */
const swapped = (swaps) => ({
  name: 'ambry-swapped',
  resolveId: async function (path, importer, options) {
    const found = importer && (await this.resolve(path, importer, { ...options, skipSelf: true }));
    const name = found && swaps[nameOf(found.id)];
    return name ? `${source}${name}.ts` : null;
  },
});

/** `room` is the folder of the files that belong to no entry alone. Two bundles must not write the same file. */
async function bundle(names, codeSplitting, others = [], room = '', swaps = undefined, as = names) {
  const build = await rolldown({
    input: Object.fromEntries(names.map((name, i) => [as[i], `${source}${name}.ts`])),
    external: externals,
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'], aliasFields: [['browser']] },
    tsconfig: false,
    transform: { target: 'es2022' },
    plugins: [moved(others), swaps && swapped(swaps)],
    // It would give files that are imported later a second face, and a helper to make it.
    experimental: { chunkOptimization: false },
  });
  await build.write({
    dir: dist,
    entryFileNames: '[name].js',
    chunkFileNames: ({ name, facadeModuleId, moduleIds }) => {
      const id = facadeModuleId ?? moduleIds.at(-1);
      const library = id?.includes('/node_modules/') && !name.includes('/') && `libraries/${name}`;
      const path = id?.startsWith(source) && !name.includes('/') ? nameOf(id) : library || name;
      return path.startsWith(room) ? `${path}.js` : `${room}${path}.js`;
    },
    codeSplitting,
    minifyInternalExports: false,
    comments: { jsdoc: false },
    // PDF.js comes minified. Where addresses follow, quotes must stay as they are for bundlers.
    minify: !codeSplitting &&
      names.some((name) => name.startsWith('passages/')) && {
        compress: false,
        mangle: false,
        codegen: { removeWhitespace: true },
      },
    banner: licensesIn,
  });
  await build.close();
}

/** An entry in one file, in which nothing runs in a worker. */
const bundleInThread = (name, as, swaps) => bundle([name], false, ['errors'], '', swaps, [as]);

/** Characters in a file of text. Bundlers warn of scripts with more than 500 kB. */
const textLength = 480_000;

/** The worker with every call and its WebAssembly as text, which every bundler takes along (workers/embedded.d.ts). */
function embed() {
  const packed = (path) => gzipSync(readFileSync(path), { level: 9 }).toString('base64');
  const write = (name, code) => writeFileSync(`${dist}workers/${name}.js`, code);
  const wasm = packed(`${source}wasm/ambry-baseline.wasm`);
  const parts = [];
  for (let at = 0; at < wasm.length; at += textLength) {
    const name = `embedded-wasm-${parts.length}`;
    write(name, `export const text = '${wasm.slice(at, at + textLength)}';\n`);
    parts.push(`  import('./${name}.js'),\n`);
  }
  write(
    'embedded',
    `export const script = '${packed(`${dist}workers/worker.js`)}';
export const loadWasm = async () => (await Promise.all([\n${parts.join('')}])).map(({ text }) => text).join('');\n`,
  );
}

export async function bundlePackage() {
  // There must be one AmbryError, also for who imports only passages.
  await bundle(['errors'], false);
  // What `ambry` needs of the tables is in its own files.
  await bundle(['tables'], false);
  const loadedLater = ['workers/in-thread', 'workers/embedded'];
  await bundle(entries, { groups: [sharedGroup] }, ['errors', ...loadedLater]);
  await bundle([...passages, nodeReader], true, ['errors'], 'passages/');
  // The command line uses the package as others do.
  await bundle(['cli/main'], true, ['errors', 'tables', ...entries, ...passages], 'cli/');
  await bundle(['workers/in-thread'], false, ['errors']);
  const browser = 'workers/browser';
  await bundleInThread('index', 'in-thread', { [browser]: 'workers/browser-in-thread' });
  await bundleInThread('index', 'workerd', { [browser]: 'workers/browser-workerd' });
  await bundleInThread('passages/passages', 'passages/in-thread', {
    'passages/reading/web-readers': 'passages/reading/web-readers-in-thread',
  });
  for (const name of workerEntries) await bundle([name], false);
  embed();
}
