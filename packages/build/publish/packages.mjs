// The packages of the repository that are published, in the order in which they are: first those that others need.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * @typedef {{ name: string, version: string, private?: boolean, license?: string, description?: string, keywords?: string[],
 *   dependencies?: Record<string, string>, peerDependencies?: Record<string, string>,
 *   peerDependenciesMeta?: Record<string, { optional?: boolean }>, [field: string]: unknown }} Manifest
 * @typedef {{ name: string, folder: string, manifest: Manifest }} Package `folder` is the path from the root, `''` for ambry
 */

/**
 * @param {string} root
 * @returns {Package[]}
 */
export function readPackages(root) {
  const folders = ['', ...globSync('packages/*/package.json', { cwd: root }).map(dirname).sort()];
  const all = folders.map((folder) => {
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    return { name: manifest.name, folder, manifest };
  });
  return inOrder(all.filter(({ manifest }) => !manifest.private));
}

/** @param {Package[]} packages */
function inOrder(packages) {
  const byName = new Map(packages.map((each) => [each.name, each]));
  /** @type {Set<Package>} */
  const ordered = new Set();
  const open = new Set();
  const visit = (/** @type {string} */ name) => {
    const found = byName.get(name);
    if (!found || ordered.has(found)) {
      return;
    }
    if (open.has(name)) {
      throw new Error(`${[...open, name].join(' → ')}: packages need each other in a circle`);
    }
    open.add(name);
    for (const needed of neededBy(found.manifest)) {
      visit(needed);
    }
    open.delete(name);
    ordered.add(found);
  };
  for (const { name } of packages) {
    visit(name);
  }
  return [...ordered];
}

/** What must be there before the package. @param {Manifest} manifest */
function neededBy({ dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies);
  return [
    ...Object.keys(dependencies),
    ...peers.filter((name) => !peerDependenciesMeta[name]?.optional),
  ];
}
