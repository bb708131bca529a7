// The addresses of the project, from packages/publish.json. They are in no manifest of the repository: each manifest gets them when
// its package is packed for the registry.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {object} Addresses
 * @property {string} repository that of the Git repository
 * @property {string} homepage
 * @property {string} bugs where faults are reported
 * @property {string} pages where a file of the repository can be read; `{path}` stands for its path
 * @property {string} images where a picture of the repository is as it is; `{path}` stands for its path
 */

/** What each field is, for the one who fills it in, and what it must look like. */
const fields = {
  repository: ['the address of the Git repository', /^(git\+)?https:\/\/\S+$/],
  homepage: ['the address of the project for people', /^https:\/\/\S+$/],
  bugs: ['where faults are reported', /^https:\/\/\S+$/],
  pages: [
    'where a file of the repository can be read, with {path} in the place of its path',
    /^https:\/\/\S*\{path\}\S*$/,
  ],
  images: [
    'where a picture of the repository is as it is, with {path} in the place of its path',
    /^https:\/\/\S*\{path\}\S*$/,
  ],
};

/** For a check before the addresses are known. @type {Addresses} */
export const exampleAddresses = {
  repository: 'git+https://example.org/ambry.git',
  homepage: 'https://example.org/ambry',
  bugs: 'https://example.org/ambry/issues',
  pages: 'https://example.org/ambry/files/{path}',
  images: 'https://example.org/ambry/raw/{path}',
};

/**
 * Reads packages/publish.json.
 * @param {string} root
 * @returns {{ addresses: Addresses, faults: string[] }}
 */
export function readAddresses(root) {
  const given = JSON.parse(readFileSync(join(root, 'packages/publish.json'), 'utf8'));
  const faults = Object.entries(fields).flatMap(([name, [what, form]]) =>
    form.test(given[name] ?? '')
      ? []
      : [`packages/publish.json: fill in "${name}": ${what}, such as ${exampleAddresses[name]}`],
  );
  const unknown = Object.keys(given).filter((name) => !(name in fields));
  const more = unknown.map((name) => `packages/publish.json: there is no "${name}"`);
  return { addresses: given, faults: [...faults, ...more] };
}
