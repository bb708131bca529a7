// Fails on a C++ include or a TypeScript import that climbs the layer graph, on a circle of files or folders, and on a format
// without a page. The graph of the C++ rooms is read from core/CMakeLists.txt. The graph of TypeScript is here.
//
//   node tests/lint/layers.mjs
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {{ path: string, text: string }} SourceFile path from the root, with forward slashes
 * @typedef {{ path: string, line: number, message: string }} Fault
 * @typedef {Map<string, Set<string>>} Graph
 * @typedef {{ target: string, path: string, line: number }} Edge to a target, by a line of the file at `path`
 */

/** Which folders of web/src a folder may import from, besides itself. A folder may also import what the folders that it
 *  lists may import. */
const scriptRooms = stack({
  base: [],
  wasm: [],
  rpc: ['base'],
  sources: ['rpc'],
  platform: ['sources', 'wasm'],
  runtime: ['platform'],
  model: ['runtime'],
  tokenizer: ['model'],
  reranker: ['tokenizer'],
  'late-interaction': ['reranker'],
  encoder: ['late-interaction'],
  generator: ['tokenizer'],
  words: ['model'],
  classifier: ['model'],
  'text-classifier': ['model'],
  search: ['encoder'],
  inspect: ['model'],
  output: ['runtime'],
  convert: ['inspect', 'output', 'classifier', 'tokenizer'],
  distill: ['convert'],
  doctor: ['runtime'],
  passages: ['platform'],
  server: ['base'],
  entries: [
    'encoder',
    'generator',
    'words',
    'classifier',
    'text-classifier',
    'search',
    'convert',
    'distill',
    'tokenizer',
    'doctor',
    'passages',
    'server',
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

const intrinsics = /^(wasm_simd128|arm_neon|[a-z]*mmintrin|immintrin)\.h$|^simde\b/;

/**
 * The rooms as core/CMakeLists.txt states them, each with every room that lies below it.
 * @param {string} cmake
 * @returns {Graph}
 */
export function readRooms(cmake) {
  /** @type {Graph} */
  const below = new Map();
  for (const [, name = '', rest = ''] of cmake.matchAll(/^ambry_room\((\w+)([^)]*)\)/gm)) {
    const edges = /\bDEPENDS\b([\w\s]*?)(?:\bHOT\b|$)/.exec(rest)?.[1] ?? '';
    const rooms = new Set();
    for (const room of edges.split(/\s+/).filter(Boolean)) {
      const beyond = below.get(room);
      if (!beyond) {
        throw new Error(`core/CMakeLists.txt: ${name} depends on ${room}, not yet stated`);
      }
      rooms.add(room);
      for (const further of beyond) {
        rooms.add(further);
      }
    }
    below.set(name, rooms);
  }
  if (below.size === 0) {
    throw new Error('core/CMakeLists.txt states no rooms');
  }
  return below;
}

/**
 * @param {string} text
 * @param {RegExp} pattern global, with the name in its first group that matched
 */
function* named(text, pattern) {
  for (const match of text.matchAll(pattern)) {
    const name = match.slice(1).find((group) => group !== undefined) ?? '';
    yield { name, line: text.slice(0, match.index).split('\n').length, match: match[0] };
  }
}

/**
 * Why `path`, in core/, may not include `name`; undefined when it may.
 * @param {string} path
 * @param {string} name
 * @param {boolean} quoted
 * @param {Graph} rooms
 */
function coreFault(path, name, quoted, rooms) {
  const [, room = '', folder = ''] = path.split('/');
  if (intrinsics.test(name)) {
    return room === 'simd' ? undefined : 'only core/simd may include intrinsics';
  }
  if (!quoted) {
    return name.startsWith('emscripten') ? 'only wasm/ may include Emscripten' : undefined;
  }
  const [target = '', targetFolder = '', ...deeper] = name.split('/');
  if (!rooms.has(target)) {
    return 'include paths start at core/ with the name of a room';
  }
  if (target !== room) {
    return rooms.get(room)?.has(target) ? undefined : `${room} lies below ${target}, or beside it`;
  }
  const inFormat = room === 'formats' && path.split('/').length > 3;
  if (inFormat && deeper.length > 0 && targetFolder !== folder) {
    return 'formats never include each other; what two share moves down to io/ or model/';
  }
  return undefined;
}

/** What the folders of wasm/ may include, besides api/ and base/. */
const wasmFolders = new Map([
  ['bindings', new Set(['bindings', 'border'])],
  ['border', new Set(['border'])],
]);

/**
 * @param {string} path
 * @param {string} name
 * @param {boolean} quoted
 */
function wasmFault(path, name, quoted) {
  if (!quoted) {
    return intrinsics.test(name) ? 'only core/simd may include intrinsics' : undefined;
  }
  const [, folder = ''] = path.split('/');
  const [target = ''] = name.split('/');
  if (/^(api|base)$/.test(target) || wasmFolders.get(folder)?.has(target)) {
    return undefined;
  }
  return wasmFolders.has(target)
    ? `wasm/${folder}/ lies below wasm/${target}/, or beside it`
    : 'wasm/ may include api/ and base/ only';
}

/**
 * @param {SourceFile} file
 * @param {Graph} rooms
 * @returns {Fault[]}
 */
export function checkIncludes({ path, text }, rooms) {
  const faults = [];
  for (const { name, line, match } of named(text, /^\s*#\s*include\s+[<"]([^>"]+)[>"]/gm)) {
    const quoted = match.includes('"');
    const message = path.startsWith('wasm/')
      ? wasmFault(path, name, quoted)
      : coreFault(path, name, quoted, rooms);
    if (message) {
      faults.push({ path, line, message: `includes ${name}: ${message}` });
    }
  }
  return faults;
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
    return isIn('web/demo') ? undefined : "pages import the package by its public name, 'ambry'";
  }
  return isIn('e2e') || isIn('web/demo') || isIn('tests')
    ? undefined
    : 'e2e drives the built site; it may import pages, fixtures and the public package';
}

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
 * Folders that import each other in a circle. `targetsOf` gives the files that a file imports or includes, as paths from
 * the root. One fault for each circle, at an import that closes it.
 * @param {SourceFile[]} files
 * @param {(file: SourceFile) => Iterable<{ target: string, line: number }>} targetsOf
 * @returns {Fault[]}
 */
export function checkFolders(files, targetsOf) {
  const known = new Set(files.map(({ path }) => path));
  /** @type {Map<string, Edge[]>} */
  const edges = new Map(files.map(({ path }) => [posix.dirname(path), []]));
  for (const file of files) {
    const folder = posix.dirname(file.path);
    for (const { target, line } of targetsOf(file)) {
      const to = posix.dirname(target);
      if (to !== folder && (known.has(target) || known.has(target.replace(/\.js$/, '.ts')))) {
        edges.get(folder)?.push({ target: to, path: file.path, line });
      }
    }
  }
  return circlesIn(edges);
}

/**
 * The circles of a graph, one fault each.
 * @param {Iterable<[string, Edge[]]>} edges
 * @returns {Fault[]}
 */
function circlesIn(edges) {
  const graph = new Map(edges);
  /** @type {Map<string, 'open' | 'done'>} */
  const state = new Map();
  /** @type {Fault[]} */
  const faults = [];
  /** @type {string[]} */
  const trail = [];
  /** @param {string} node */
  function visit(node) {
    state.set(node, 'open');
    trail.push(node);
    for (const { target, path, line } of graph.get(node) ?? []) {
      if (state.get(target) === 'open') {
        const circle = [...trail.slice(trail.indexOf(target)), target];
        faults.push({ path, line, message: `closes a circle: ${circle.join(' → ')}` });
      } else if (graph.has(target) && !state.has(target)) {
        visit(target);
      }
    }
    trail.pop();
    state.set(node, 'done');
  }
  for (const node of graph.keys()) {
    if (!state.has(node)) {
      visit(node);
    }
  }
  return faults;
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
  const web = ours.filter(({ path }) => path.startsWith('web/'));
  const packages = filesIn(root, 'packages', /\.(ts|mts|mjs)$/).filter(
    ({ path }) => !/\/(node_modules|dist|tests|site|embedded)\//.test(path),
  );
  return [
    ...cpp.flatMap((file) => checkIncludes(file, rooms)),
    ...ours.flatMap((file) => checkImports(file)),
    ...ours.flatMap((file) => checkWorkers(file)),
    ...checkCircles(ours),
    ...checkFolders([...web, ...packages], importsOf),
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
