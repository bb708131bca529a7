// Finds circles in a graph of files, and in the graph of the folders that hold them.
import { posix } from 'node:path';

/**
 * @typedef {{ path: string, text: string }} SourceFile path from the root, with forward slashes
 * @typedef {{ path: string, line: number, message: string }} Fault
 * @typedef {{ target: string, path: string, line: number }} Edge to a target, by a line of the file at `path`
 */

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
export function circlesIn(edges) {
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
