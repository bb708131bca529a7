// Makes of each package what goes to the registry: what npm packs of its folder, with the addresses of the project in its manifest and
// in the links of its README, and without what only this repository needs.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withAbsoluteLinks } from './readme-links.mjs';

/**
 * @typedef {object} Staged
 * @property {string} name
 * @property {string} folder what is in the tarball
 * @property {string} tarball
 * @property {string[]} files
 * @property {import('./packages.mjs').Manifest} manifest
 * @property {string[]} faults
 */

/** Fields of a manifest that are for this repository. */
const ownFields = ['scripts', 'devDependencies', 'workspaces', 'overrides'];

/**
 * @param {string} root
 * @param {import('./packages.mjs').Package[]} packages
 * @param {import('./addresses.mjs').Addresses} addresses
 * @param {string} scratch an empty folder
 * @returns {Staged[]}
 */
export function stageAll(root, packages, addresses, scratch) {
  const packed = folderIn(scratch, 'packed');
  // One npm packs them all: starting it takes longer than most of them.
  pack(
    packages.map(({ folder }) => join(root, folder)),
    packed,
  );
  const staged = packages.map(({ name, folder, manifest }) => {
    const target = folderIn(scratch, name);
    const file = tarballName(name, manifest.version);
    execFileSync('tar', ['xzf', join(packed, file), '--strip-components=1', '-C', target]);
    const shown = withAddresses(manifest, folder, addresses);
    writeFileSync(join(target, 'package.json'), `${JSON.stringify(shown, null, 2)}\n`);
    const faults = changeReadme(join(target, 'README.md'), { root, folder, addresses });
    return { name, folder: target, manifest: shown, faults, file };
  });
  const final = folderIn(scratch, 'final');
  pack(
    staged.map(({ folder }) => folder),
    final,
  );
  return staged.map(({ file, ...rest }) => ({
    ...rest,
    tarball: join(final, file),
    files: filesIn(rest.folder),
  }));
}

const tarballName = (name, version) => `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;

function folderIn(scratch, name) {
  const folder = join(scratch, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

function pack(folders, target) {
  const args = ['pack', ...folders, '--ignore-scripts', '--pack-destination', target];
  // The folders are asked for alone, and not as parts of the workspaces around this script.
  execFileSync('npm', args, { cwd: target, stdio: ['ignore', 'ignore', 'pipe'] });
}

function withAddresses(manifest, folder, { repository, homepage, bugs }) {
  const kept = Object.entries(manifest).filter(([name]) => !ownFields.includes(name));
  return {
    ...Object.fromEntries(kept),
    repository: { type: 'git', url: repository, ...(folder !== '' && { directory: folder }) },
    homepage,
    bugs: { url: bugs },
  };
}

function changeReadme(path, place) {
  if (!existsSync(path)) {
    return ['there is no README.md'];
  }
  const { text, faults } = withAbsoluteLinks(readFileSync(path, 'utf8'), place);
  writeFileSync(path, text);
  return faults;
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}
