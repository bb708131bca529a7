// Makes the package's JavaScript. A page without a bundler fetches modules one after another, by depth of import,
// so what an entry needs at once is in few files, and what it imports later stays apart.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { licensesIn } from '../../packages/build/licenses.mjs';
import { entries as entryRows, workers as workerRows } from '../src/entries/entry-table.ts';
import {
  dist,
  distName,
  librariesAtOnce,
  moved,
  nameOf,
  ownLanguages,
  quotedAddresses,
  source,
  swapped,
} from './bundle-plugins.mjs';
import { sharedStemmer } from './shared-stemmer.mjs';

const embedded = fileURLToPath(new URL('../../packages/whole/embedded/', import.meta.url));
/** The worker of the package ambry-pdf, without PDF.js. */
const pdfReader = fileURLToPath(new URL('../../packages/pdf/reader/', import.meta.url));

const inEntries = (name) => `entries/${name}`;

/** The entries for one purpose in Node and in pages, `entries/built/encoder`, which become `encoder.js`. */
const purposes = Object.keys(entryRows).flatMap((name) =>
  ['', 'node-'].map((place) => `entries/built/${place}${name}`),
);
/** An entry that shares no code with others, because a page that needs only it should have nothing else. */
const small = 'entries/built/static-encoder';
const entries = ['index', 'node', ...purposes.filter((name) => name !== small)];

/** What `ambry/terms` has, in two files, because indexes need the second one alone; and the words that it has read, which indexes take
 *  over. */
const words = ['search/words/terms', 'search/words/languages', 'search/words/read-before'];

/** The files of declarations in dist/, and what each is made of. Entries for Node have the types of those for pages. */
export const typedEntries = Object.fromEntries(
  [
    'index',
    ...purposes,
    ...['passages/passages', 'tables', 'terms', 'workers/worker'].map(inEntries),
  ]
    .filter((name) => !name.includes('/node-'))
    .map((name) => [distName(name), name]),
);
/** The entries that run in a page or in Node with every call of the package. */
const allCalls = ['workers/worker', 'workers/node-worker', 'workers/in-thread'].map(inEntries);
const templates = ['workers/chat-template-worker', 'workers/node-chat-template-worker'].map(
  inEntries,
);
/** The first script that most pages fetch, and one that shares nearly nothing. */
const alone = ['workers/encoder-small-worker', 'workers/kept-vectors-worker'].map(inEntries);
/** One model or job each. */
const workers = Object.entries(workerRows)
  .filter(([, row]) => row && !row.script)
  .map(([name]) => `entries/built/workers/${name}-worker`);
/** The readers of documents that are texts, in one file for workers and for the caller's thread. */
const textReaders = ['passages/reading/text-readers', 'passages/text-readers'];
const passages = [
  'passages/passages',
  'passages/node-passages',
  'passages/node-documents-worker',
].map(inEntries);
/** There must be one AmbryError, also for who imports only passages. */
const errors = ['base/errors', 'errors'];
const wrongValue = 'base/wrong-value';
const visible = 'base/visible';
const externals = [/^node:/, 'undici', 'ambry-whole/ambry-baseline.wasm'];

/** What pages and Node need at once, in one file. */
const sharedGroup = {
  name: 'runtime/client',
  tags: ['$initial'],
  test: (id) =>
    /^(entries\/built\/kinds\/openers-with$|(?!cli\/|passages\/|entries\/|\.\.\/)([^/]+\/)+(?!node-)[^/]+$)/.test(
      nameOf(id),
    ),
};

/** What workers of one model have in common: each file is fetched at once, with the worker's own. */
const workerGroups = [
  {
    debugName: 'glue',
    name: (id) => /\/wasm\/(glue-\d+)\.mjs$/.exec(id)?.[1].replace(/^/, 'workers/'),
  },
  {
    name: 'workers/shared',
    test: (id) =>
      /^(base\/errors|(rpc|platform|runtime|sources(?!\/directory)|model)\/.*|entries\/workers\/serve.*)$/.test(
        nameOf(id),
      ),
  },
];

/** The name of a file in the folder `room` of dist/. */
const inFolder = (room, name) =>
  [name, distName(name)].find((each) => each.startsWith(room)) ?? room + name;

/** Names stay for stack traces. A quarter of the code is white space and comments. The sources are in the repository. */
const minified = { compress: false, mangle: false, codegen: { removeWhitespace: true } };

/**
 * `others` are files of their own. `room` is the folder of the files that belong to no entry alone; two bundles must not
 * write the same file.
 */
async function bundle(
  names,
  {
    codeSplitting = false,
    others = [],
    room = '',
    swaps,
    as = names.map(distName),
    dir = dist,
    atOnce = false,
  } = {},
) {
  const build = await rolldown({
    input: Object.fromEntries(names.map((name, i) => [as[i], `${source}${name}.ts`])),
    external: externals,
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'], aliasFields: [['browser']] },
    tsconfig: false,
    transform: { target: 'es2022' },
    plugins: [
      moved(others),
      ownLanguages,
      sharedStemmer,
      quotedAddresses,
      swaps && swapped(swaps),
      atOnce && librariesAtOnce,
    ],
    // This optimization would give files that are imported later a second face, and a helper to make it.
    experimental: { chunkOptimization: false },
  });
  await build.write({
    dir,
    entryFileNames: '[name].js',
    chunkFileNames: ({ name, facadeModuleId, moduleIds }) => {
      const id = facadeModuleId ?? moduleIds.at(-1);
      const library = id?.includes('/node_modules/') && !name.includes('/') && `libraries/${name}`;
      const own = id?.startsWith(source) && !name.includes('/') && nameOf(id);
      return `${inFolder(room, own || library || name)}.js`;
    },
    codeSplitting,
    minifyInternalExports: false,
    comments: { jsdoc: false },
    minify: minified,
    banner: licensesIn,
  });
  await build.close();
}

/** Characters in a file of text. Bundlers warn of scripts with more than 500 kB. */
const textLength = 480_000;

/** The worker with every call and its WebAssembly as text, which every bundler takes along, for the package ambry-whole. */
async function embed() {
  const packed = (path) => gzipSync(readFileSync(path), { level: 9 }).toString('base64');
  const write = (name, code) => writeFileSync(`${embedded}${name}.js`, code);
  const wasm = packed(`${source}wasm/ambry-baseline.wasm`);
  const parts = [];
  for (let at = 0; at < wasm.length; at += textLength) {
    const name = `embedded-wasm-${parts.length}`;
    write(name, `export const text = '${wasm.slice(at, at + textLength)}';\n`);
    parts.push(`  import('./${name}.js'),\n`);
  }
  const scratch = mkdtempSync(`${tmpdir()}/ambry-embedded-`);
  await bundle([inEntries('workers/worker')], { dir: scratch });
  write(
    'embedded',
    `export const script = '${packed(`${scratch}/workers/worker.js`)}';
export const loadWasm = async () => (await Promise.all([\n${parts.join('')}])).map(({ text }) => text).join('');\n`,
  );
  rmSync(scratch, { recursive: true });
}

/** What runs on the caller's thread is in one file, but for what others have, too. Nothing is imported later. */
async function bundleInThread() {
  const inThread = inEntries('workers/in-thread');
  const swaps = { 'entries/browser': 'entries/browser-in-thread' };
  await bundle(['index'], {
    as: ['in-thread'],
    swaps,
    others: [errors, inThread],
    atOnce: true,
  });
  await bundle(['on-workerd'], {
    as: ['workerd'],
    others: [['index', 'in-thread']],
  });
  await bundle([inEntries('passages/passages')], {
    as: ['passages/in-thread'],
    swaps: {
      'entries/passages/web-readers': 'entries/passages/web-readers-in-thread',
      'passages/reading/readers': 'passages/reading/readers-at-once',
    },
    others: [errors, textReaders],
  });
}

export async function bundlePackage() {
  await bundle([errors[0]], { as: [errors[1]] });
  // What `ambry` needs of the tables is in its own files.
  // A page that shows texts needs no more of the tables than this.
  await bundle([visible]);
  await bundle([inEntries('tables')], { others: [visible] });
  await bundle(words, { codeSplitting: true, others: [errors] });
  await bundle([inEntries('terms')], {
    codeSplitting: true,
    others: [errors, ...words],
    room: 'terms/',
  });
  await bundle(entries, {
    codeSplitting: { groups: [sharedGroup] },
    others: [errors, inEntries('workers/in-thread'), ...words],
  });
  await bundle([small], {
    codeSplitting: true,
    others: [errors, wrongValue],
    room: `${distName(small)}/`,
  });
  await bundle([textReaders[0]], { as: [textReaders[1]], others: [errors] });
  await bundle(passages, {
    codeSplitting: true,
    others: [errors, wrongValue, textReaders],
    room: 'passages/',
  });
  // Some bundlers make scripts of workers that import nothing later.
  await bundle([inEntries('passages/documents-worker')], { others: [errors, textReaders] });
  await bundle([inEntries('passages/serve-pdfs')], {
    as: ['serve-pdfs'],
    dir: pdfReader,
  });
  // The command line uses the package as others do.
  const used = [
    errors,
    'index',
    'node',
    ...['tables', 'passages/passages', 'passages/node-passages'].map(inEntries),
  ];
  await bundle(['cli/main'], {
    codeSplitting: true,
    others: used,
    room: 'cli/',
  });
  // Fetched only by the worker of a model that was opened with `device`.
  await bundle(['gpu/worker-gpu']);
  await bundle(allCalls, {
    codeSplitting: { groups: [{ name: 'workers/all', minShareCount: 2 }] },
    others: [errors],
  });
  await bundle(templates, {
    codeSplitting: { groups: [{ name: 'workers/templates', minShareCount: 2 }] },
  });
  await bundle(workers, { codeSplitting: { groups: workerGroups } });
  for (const name of alone) {
    await bundle([name]);
  }
  await bundleInThread();
  await embed();
}
