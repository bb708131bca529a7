// Checks all packages as they would be published.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exampleAddresses, readAddresses } from './addresses.mjs';
import { readPackages } from './packages.mjs';
import { faultsOf } from './rules.mjs';
import { stageAll } from './stage.mjs';
import { npmFaults, publintFaults, typeFaults } from './tools.mjs';

/** Packages with files that the build of `ambry` makes, which work with its own version only. */
const twins = new Set(['ambry-pdf', 'ambry-whole']);
/** The pages are no library that programs import, and are large. */
const withoutTypes = new Set(['ambry-demo']);

/**
 * Packs and checks every package. `use` gets those that are staged while their files are there.
 * @param {string} root
 * @param {(staged: import('./stage.mjs').Staged[], report: Report) => unknown} [use]
 * @returns {Promise<Report>}
 *
 * @typedef {object} Report
 * @property {string[]} names the packages, in the order in which they are published
 * @property {string[]} faults each begins with the name of its package
 * @property {string[]} missing what packages/publish.json lacks
 */
export async function checkPackages(root, use) {
  const { addresses, faults: missing } = readAddresses(root);
  const packages = readPackages(root);
  const names = packages.map(({ name }) => name);
  const version = packages.find(({ folder }) => folder === '')?.manifest.version ?? '';
  const repository = { root, version, names: new Set(names), twins };
  const scratch = mkdtempSync(join(tmpdir(), 'ambry-publish-'));
  try {
    const known = missing.length === 0 ? addresses : exampleAddresses;
    const staged = stageAll(root, packages, known, scratch);
    const faults = [];
    for (const each of staged) {
      const found = [...faultsOf(each, repository), ...(await toolFaults(each))];
      faults.push(...found.map((fault) => `${each.name}: ${fault}`));
    }
    const report = { names, faults, missing };
    await use?.(staged, report);
    return report;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** @param {import('./stage.mjs').Staged} staged */
async function toolFaults({ name, folder, tarball, manifest }) {
  return [
    ...(await publintFaults(tarball, manifest)),
    ...(withoutTypes.has(name) ? [] : await typeFaults(tarball)),
    ...npmFaults(folder),
  ];
}
