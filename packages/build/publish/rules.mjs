// What must be true of a package before it is published. Each rule returns faults as sentences.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkImports } from './imports.mjs';
import { satisfies } from './ranges.mjs';
import { relativeLinks } from './readme-links.mjs';

/**
 * @typedef {import('./stage.mjs').Staged} Staged
 * @typedef {{ root: string, version: string, names: Set<string>, twins: Set<string> }} Repository `version` is that of `ambry`. `twins`
 *   have files that the build of `ambry` makes, so they work with one version of it only
 */

/** @type {((staged: Staged, repository: Repository) => string[])[]} */
const rules = [
  checkVersions,
  checkRanges,
  checkFields,
  checkLicense,
  checkFiles,
  checkImports,
  checkReadme,
];

/**
 * @param {Staged} staged
 * @param {Repository} repository
 */
export function faultsOf(staged, repository) {
  return [...staged.faults, ...rules.flatMap((rule) => rule(staged, repository))];
}

/** @type {(typeof rules)[number]} */
function checkVersions({ manifest, name }, { version, names, twins }) {
  const faults =
    manifest.version === version
      ? []
      : [`has the version ${manifest.version}, and ambry ${version}`];
  for (const [needed, range] of Object.entries(manifest.dependencies ?? {})) {
    if (names.has(needed) && range !== version) {
      faults.push(`depends on ${needed} ${range}, and must on exactly ${version}`);
    }
  }
  for (const [needed, range] of Object.entries(manifest.peerDependencies ?? {})) {
    const wanted = twins.has(name) || twins.has(needed) ? version : `^${version}`;
    if (names.has(needed) && range !== wanted) {
      faults.push(`has the peer ${needed} ${range}, and the true range is ${wanted}`);
    }
  }
  return faults;
}

/** The tests run with what is installed here, so a range must have it. @type {(typeof rules)[number]} */
function checkRanges({ manifest, name }, { root, names }) {
  return Object.entries(manifest.peerDependencies ?? {}).flatMap(([needed, range]) => {
    if (names.has(needed)) {
      return [];
    }
    const version = installedVersion(root, name, needed);
    if (version === undefined) {
      return manifest.peerDependenciesMeta?.[needed]?.optional
        ? []
        : [
            `has the peer ${needed} ${range}, which is not installed here, so no test knows that it works`,
          ];
    }
    return satisfies(version, range)
      ? []
      : [`has the peer ${needed} ${range}, and is tested with ${version}`];
  });
}

function installedVersion(root, name, needed) {
  const own = join('packages', name.replace('ambry-', ''), 'node_modules');
  for (const folder of [own, 'node_modules']) {
    try {
      return JSON.parse(readFileSync(join(root, folder, needed, 'package.json'), 'utf8')).version;
    } catch {
      // The package is not in this folder.
    }
  }
  return undefined;
}

/** @type {(typeof rules)[number]} */
function checkFields({ manifest }) {
  const { description, keywords, engines, exports, ...rest } = manifest;
  const faults = Object.entries({ description, engines, exports })
    .filter(([, value]) => !value)
    .map(([field]) => `package.json has no ${field}`);
  const isText = (word) => typeof word === 'string' && word !== '';
  if (!Array.isArray(keywords) || keywords.length < 3 || !keywords.every(isText)) {
    faults.push('package.json has less than three keywords');
  }
  for (const field of ['dependencies', 'peerDependencies', 'optionalDependencies']) {
    for (const [needed, range] of Object.entries(rest[field] ?? {})) {
      if (/^(file|link|workspace|git|https?):|^\*?$|^latest$/.test(range)) {
        faults.push(`${field} has ${needed} from "${range}", which is no version at the registry`);
      }
    }
  }
  return faults;
}

/** @type {(typeof rules)[number]} */
function checkLicense({ manifest, files, folder }) {
  const faults = manifest.license ? [] : ['package.json has no license'];
  const isThere = files.includes('LICENSE') && readFileSync(join(folder, 'LICENSE'), 'utf8').trim();
  return isThere ? faults : [...faults, 'there is no LICENSE, or it is empty'];
}

/** What is of use only in this repository. */
const development =
  /^(src|tests?|e2e)\/|(^|\/)(node_modules|\.git[^/]*|tsconfig[^/]*\.json|build\.mjs)(\/|$)|\.(test|spec)\.[^/]*$|\.(map|tsbuildinfo|log)$|(?<!\.d)\.[cm]?tsx?$/;
const texts = /\.(m?js|d\.m?ts|css|html|json|md|astro|txt)$/;

/** @type {(typeof rules)[number]} */
function checkFiles({ files, folder }, { root }) {
  const faults = files
    .filter((path) => development.test(path))
    .map((path) => `${path} is for development`);
  for (const path of files.filter((each) => texts.test(each))) {
    const text = readFileSync(join(folder, path), 'utf8');
    if (text.includes(root.replace(/\/$/, ''))) {
      faults.push(`${path} contains the path of this repository on this machine`);
    }
    if (/\.m?js$/.test(path) && /^\/\/[#@] sourceMappingURL=/m.test(text)) {
      faults.push(`${path} names a source map, and none is published`);
    }
  }
  return faults;
}

/** @type {(typeof rules)[number]} */
function checkReadme({ files, folder, name }) {
  if (!files.includes('README.md')) {
    return [];
  }
  const text = readFileSync(join(folder, 'README.md'), 'utf8');
  const links = relativeLinks(text).map((target) => `README.md has the relative link ${target}`);
  return text.toLowerCase().includes(`# ${name}\n`)
    ? links
    : [...links, `README.md has no title "# ${name}"`];
}
