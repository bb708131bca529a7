// Fails on a C++ include or a TypeScript import that climbs the layer graph, on a circle of files or folders, on two headers of
// one name in core, and on a format without a page. The graph of the C++ rooms is read from core/CMakeLists.txt. The graph of TypeScript is here.
//
//   node tests/lint/layers.mjs
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkFolders, circlesIn } from './circles.mjs';
import { checkHeaderNames, checkIncludes, includesOf, readRooms } from './includes.mjs';
import { named } from './named.mjs';

/**
 * @typedef {import('./circles.mjs').SourceFile} SourceFile
 * @typedef {import('./circles.mjs').Fault} Fault
 * @typedef {Map<string, Set<string>>} Graph
 */

/**
 * Which folders of web/src a folder may import from, besides itself. A folder may also import what the folders that it lists
 * may import.
 * @type {Record<string, string[]>}
 */
const features = {
  tokenizer: ['model'],
  gpu: ['model'],
  generator: ['tokenizer', 'gpu'],
  'classification-head': ['tokenizer'],
  reranker: ['classification-head', 'generator'],
  'text-classifier': ['classification-head'],
  'token-head': ['classification-head'],
  'token-classifier': ['token-head'],
  'question-answering': ['token-head'],
  'fill-mask': ['token-head'],
  'late-interaction': ['reranker'],
  'sparse-encoder': ['late-interaction'],
  encoder: ['late-interaction', 'sparse-encoder'],
};
// Read as text: the hook of commits runs this in any Node, and older ones import no TypeScript.
const kindTable = readFileSync(
  new URL('../../web/src/entries/entry-table.ts', import.meta.url),
  'utf8',
);
/** The other kinds of models use no feature. */
const kindRooms = [...kindTable.matchAll(/\bclass: \['\w+', '([^/']+)\//g)]
  .map(([, room = '']) => room)
  .filter((room) => !(room in features));
const scriptRooms = stack({
  base: [],
  wasm: [],
  rpc: ['base'],
  sources: ['rpc'],
  platform: ['sources', 'wasm'],
  runtime: ['platform'],
  model: ['runtime'],
  ...features,
  ...Object.fromEntries(kindRooms.map((room) => [room, ['model']])),
  search: ['encoder', 'question-answering', 'sparse-encoder'],
  inspect: ['model'],
  output: ['runtime'],
  convert: ['inspect', 'output', 'image-classifier', 'tokenizer'],
  'file-tokenizer': ['generator', 'convert'],
  distill: ['convert'],
  doctor: ['runtime', 'gpu'],
  passages: ['platform'],
  entries: [
    ...Object.keys(features),
    ...kindRooms,
    'search',
    'convert',
    'file-tokenizer',
    'distill',
    'doctor',
    'passages',
  ],
  root: ['entries'], // index.ts, node.ts and on-workerd.ts: the public names
  cli: ['root'],
});
/** Lists of names for users of the package. A file of the package imports what it needs where that is. */
const barrels = /^web\/src\/(index|entries\/types)\.ts$/;

/**
 * @param {Record<string, string[]>} rooms each with the rooms right below it, which come before it
 * @returns {Graph}
 */
function stack(rooms) {
  /** @type {Graph} */
  const below = new Map();
  for (const [room, next] of Object.entries(rooms)) {
    below.set(room, new Set(next.flatMap((name) => [name, ...(below.get(name) ?? [])])));
  }
  return below;
}

/**
 * The room of a file of web/src.
 * @param {string} path
 */
function scriptRoom(path) {
  const [first = '', ...rest] = path.slice('web/src/'.length).split('/');
  return rest.length > 0 ? first : 'root';
}

/**
 * Whether a file of web/src runs in a worker only.
 * @param {string} path
 */
function runsInWorker(path) {
  return /^web\/src\/([^/]+\/)*worker[^/]*\.ts$/.test(path);
}

/**
 * Why `path` may not import `target`, a path from the root; undefined when it may.
 * @param {string} path
 * @param {string} target
 */
function scriptFault(path, target) {
  const isIn = (/** @type {string} */ folder) => target.startsWith(`${folder}/`);
  if (path.startsWith('web/src/')) {
    return isIn('web/src')
      ? packageFault(path, target)
      : 'the package imports nothing outside web/src';
  }
  if (path.startsWith('web/demo/')) {
    return isIn('web/demo')
      ? pageFault(path, target)
      : "pages import the package by its public name, 'ambry'";
  }
  if (path.startsWith('packages/')) {
    const [, own = ''] = path.split('/');
    const builds = /^packages\/([^/]+\/)?build\.mjs$/.test(path) && isIn('packages/build');
    return isIn(`packages/${own}`) || builds
      ? undefined
      : 'packages import ambry and each other by their public names';
  }
  return isIn('e2e') || isIn('web/demo') || isIn('tests')
    ? undefined
    : 'e2e drives the built site; it may import pages, fixtures and the public package';
}

/** Rooms of web/demo that others may import: what pages share, and the built-in texts. */
const sharedRooms = new Set(['shared', 'corpus']);

/**
 * @param {string} path
 * @param {string} target
 */
function pageFault(path, target) {
  const [, , room = ''] = path.split('/');
  const [, , wanted = ''] = target.split('/');
  return wanted === room || (sharedRooms.has(wanted) && room !== 'corpus' && room !== 'shared')
    ? undefined
    : `${room} may not import ${wanted}: pages use their own folder and web/demo/shared`;
}

/** `ambry-whole` and `ambry-pdf` are no packages on top of `ambry`: they have files that the build of `ambry` makes, and its messages
 *  say how to import them. */
const packageOnTop = /^ambry-(?!(whole|pdf)\b)/;

/**
 * @param {string} path
 * @param {string} target
 */
function packageFault(path, target) {
  const room = scriptRoom(path);
  const wanted = scriptRoom(target);
  const below = scriptRooms.get(room);
  if (!below) {
    return `web/src/${room}/ is no room; state it in tests/lint/layers.mjs`;
  }
  if (room !== wanted && !below.has(wanted)) {
    return `${room} may not import ${wanted}`;
  }
  const isOfWorker = runsInWorker(path) || room === 'entries' || /\/node-[^/]*$/.test(path);
  if (runsInWorker(target) && !isOfWorker) {
    return 'files named worker*.ts are for files named worker*.ts and for the worker entries';
  }
  if (barrels.test(target) && !['root', 'entries', 'cli'].includes(room)) {
    return 'inside the package names are imported from the files that have them';
  }
  return undefined;
}

const importPattern =
  /\b(?:import|export)\b[^'";]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/**
 * The relative imports of a file, as paths from the root.
 * @param {SourceFile} file
 */
function* importsOf({ path, text }) {
  for (const { name, line } of named(text, importPattern)) {
    if (!name.startsWith('.')) {
      continue; // packages, and ambry itself by its public name
    }
    yield { name, line, target: posix.join(posix.dirname(path), name.replace(/\?.*$/, '')) };
  }
}

/**
 * @param {SourceFile} file
 * @returns {Fault[]}
 */
export function checkImports({ path, text }) {
  const faults = [];
  for (const { name, line } of named(text, importPattern)) {
    if (path.startsWith('web/src/') && packageOnTop.test(name)) {
      const message = 'the package imports nothing of the packages that are made with it';
      faults.push({ path, line, message: `imports ${name}: ${message}` });
    }
  }
  for (const { name, line, target } of importsOf({ path, text })) {
    const message = scriptFault(path, target);
    if (message) {
      faults.push({ path, line, message: `imports ${name}: ${message}` });
    }
  }
  return faults;
}

/**
 * Files that import each other in a circle, types and later imports included. One fault for each circle.
 * @param {SourceFile[]} files
 * @returns {Fault[]}
 */
export function checkCircles(files) {
  return circlesIn(
    files.map((file) => [
      file.path,
      [...importsOf(file)].map(({ target, line }) => ({ target, path: file.path, line })),
    ]),
  );
}

/**
 * Bundlers look for a literal `new Worker(new URL(…))`, and take along what it names. So entries alone have it: what else
 * had it would bring its script into every build.
 * @param {SourceFile} file
 * @returns {Fault[]}
 */
export function checkWorkers({ path, text }) {
  if (!path.startsWith('web/src/') || path.startsWith('web/src/entries/')) {
    return [];
  }
  return [...named(text, /(?<!`)\bnew Worker\(\s*(new URL)\(/g)].map(({ line }) => ({
    path,
    line,
    message: 'only web/src/entries/ starts the scripts of workers',
  }));
}

/**
 * @param {string} root
 * @param {string} folder
 * @param {RegExp} pattern
 * @returns {SourceFile[]}
 */
function filesIn(root, folder, pattern) {
  const top = join(root, folder);
  if (!existsSync(top)) {
    return [];
  }
  return readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({
      path: relative(root, path).replaceAll('\\', '/'),
      text: readFileSync(path, 'utf8'),
    }));
}

/**
 * Every fault in the tree at `root`.
 * @param {string} root
 * @returns {Fault[]}
 */
export function checkTree(root) {
  const rooms = readRooms(readFileSync(join(root, 'core/CMakeLists.txt'), 'utf8'));
  const cpp = ['core', 'wasm'].flatMap((folder) => filesIn(root, folder, /\.(h|cpp)$/));
  const scripts = ['web/src', 'web/demo', 'e2e'].flatMap((folder) =>
    filesIn(root, folder, /\.(ts|mjs)$/),
  );
  const ours = scripts.filter(({ path }) => !path.startsWith('web/src/wasm/')); // built
  const packages = filesIn(root, 'packages', /\.(ts|mts|mjs)$/).filter(
    ({ path }) => !/\/(node_modules|dist|tests|site|embedded)\//.test(path),
  );
  return [
    ...cpp.flatMap((file) => checkIncludes(file, rooms)),
    ...[...ours, ...packages].flatMap((file) => checkImports(file)),
    ...ours.flatMap((file) => checkWorkers(file)),
    ...checkCircles(ours),
    ...checkFolders([...ours, ...packages], importsOf),
    ...checkFolders(cpp, includesOf),
    ...checkHeaderNames(cpp.map(({ path }) => path)),
    ...checkFormatPages(root),
  ];
}

/**
 * @param {string} root
 * @returns {Fault[]}
 */
function checkFormatPages(root) {
  return readdirSync(join(root, 'core/formats'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `core/formats/${entry.name}/README.md`)
    .filter((page) => !existsSync(join(root, page)))
    .map((path) => ({ path, line: 1, message: 'every format has its page; this one is missing' }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
  const faults = checkTree(root);
  for (const { path, line, message } of faults) {
    console.error(`${path}:${line}: ${message}`);
  }
  process.exit(faults.length > 0 ? 1 : 0);
}
