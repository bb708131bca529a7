// What the files of core and wasm may include, and how their headers may be called.
import { posix } from 'node:path';
import { named } from './named.mjs';

/**
 * @typedef {import('./circles.mjs').SourceFile} SourceFile
 * @typedef {import('./circles.mjs').Fault} Fault
 * @typedef {Map<string, Set<string>>} Graph
 */

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

/** Include paths start at these folders. */
const includeRoots = ['core', 'wasm'];

/**
 * The quoted includes of a file, as paths from the root.
 * @param {SourceFile} file
 */
export function* includesOf({ text }) {
  for (const { name, line } of named(text, /^\s*#\s*include\s+"([^"]+)"/gm)) {
    for (const root of includeRoots) {
      yield { line, target: `${root}/${name}` };
    }
  }
}

/**
 * Headers of core with a name that another one has, too. An editor's tab shows nothing but the name.
 * @param {string[]} paths
 * @returns {Fault[]}
 */
export function checkHeaderNames(paths) {
  /** @type {Map<string, string>} */
  const first = new Map();
  /** @type {Fault[]} */
  const faults = [];
  for (const path of paths.filter((name) => /^core\/.*\.h$/.test(name))) {
    const name = posix.basename(path);
    const other = first.get(name);
    if (other === undefined) {
      first.set(name, path);
    } else {
      faults.push({ path, line: 1, message: `has the name of ${other}; give it one of its own` });
    }
  }
  return faults;
}
