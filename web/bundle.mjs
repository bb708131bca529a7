// Makes the package's JavaScript. A page without a bundler fetches modules one after another, by depth of import,
// so what an entry needs at once is in few files; what it imports later stays apart, and a worker is one file.
import { readdirSync, readFileSync } from 'node:fs';
import { posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const source = fileURLToPath(new URL('src/', import.meta.url));
const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const entries = ['index', 'node', 'passages/passages', 'passages/node-passages'];
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

/** The libraries that are part of our files, with their licenses. A page without a bundler has no way to say where a
 *  worker finds a library. */
const bundledLibraries = ['@huggingface/jinja'].map((name) => {
  const folder = new URL(`../node_modules/${name}/`, import.meta.url);
  return { name, license: readFileSync(new URL('LICENSE', folder), 'utf8').trim() };
});
const licensesIn = ({ moduleIds }) =>
  bundledLibraries
    .filter(({ name }) => moduleIds.some((id) => id.includes(`/node_modules/${name}/`)))
    .map(({ name, license }) => `/*! ${name}\n${license}\n*/`)
    .join('\n');

/** A path from web/src, with forward slashes and without its ending. */
const nameOf = (id) => relative(source, id).replaceAll('\\', '/').replace(/\.ts$/, '');

/** What pages and Node need at once, in one file. */
const sharedGroup = {
  name: 'runtime/client',
  tags: ['$initial'],
  test: (id) => /^(models$|(?!cli\/|passages\/|workers\/)[^/]+\/)/.test(nameOf(id)),
};

const marker = '~ambry/';

/** Code moves to other files, and what it calls by a path from its own must be found from there: the path becomes a
 *  mark with the place from the top, and the mark a path from the new file. `others` are files of their own. */
function moved(others) {
  const place = (importer, path) => marker + posix.join(posix.dirname(nameOf(importer)), path);
  return {
    name: 'ambry-moved',
    resolveId: (path, importer) => {
      const id = importer && place(importer, path).replace(/\.ts$/, '');
      return others.some((name) => id === marker + name)
        ? { id: `${id}.js`, external: true }
        : null;
    },
    transform: (code, id) =>
      code.replace(
        /\bnew URL\((['"])([^'":]+)\1, ?import\.meta\.url\)/g,
        (_, quote, url) => `new URL(${quote}${place(id, url)}${quote}, import.meta.url)`,
      ),
    renderChunk: (code, { fileName }) =>
      code.replace(/(['"])~ambry\/(.*?)(\/?)\1/g, (_, quote, path, end) => {
        const url = posix.relative(posix.dirname(fileName), path);
        return `${quote}${url.startsWith('.') ? '' : './'}${url}${end}${quote}`;
      }),
  };
}

/** `room` is the folder of the files that belong to no entry alone. Two bundles must not write the same file. */
async function bundle(names, codeSplitting, others = [], room = '') {
  const build = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, `${source}${name}.ts`])),
    external: externals,
    platform: 'neutral',
    tsconfig: false,
    transform: { target: 'es2022' },
    plugins: [moved(others)],
    // It would give files that are imported later a second face, and a helper to make it.
    experimental: { chunkOptimization: false },
  });
  await build.write({
    dir: dist,
    entryFileNames: '[name].js',
    chunkFileNames: ({ name, facadeModuleId, moduleIds }) => {
      const id = facadeModuleId ?? moduleIds.at(-1);
      const path = id?.startsWith(source) && !name.includes('/') ? nameOf(id) : name;
      return path.startsWith(room) ? `${path}.js` : `${room}${path}.js`;
    },
    codeSplitting,
    minifyInternalExports: false,
    comments: { jsdoc: false },
    banner: licensesIn,
  });
  await build.close();
}

export async function bundlePackage() {
  // There must be one AmbryError, also for who imports only passages.
  await bundle(['errors'], false);
  // What `ambry` needs of the tables is in its own files.
  await bundle(['tables'], false);
  await bundle([...entries, nodeReader], { groups: [sharedGroup] }, ['errors']);
  // The command line uses the package as others do.
  await bundle(['cli/main'], true, ['errors', 'tables', ...entries], 'cli/');
  for (const name of workerEntries) await bundle([name], false);
}
