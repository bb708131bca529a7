// What others say about a package that is packed: publint, Are the types wrong, and npm.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const bytesOf = (/** @type {string} */ tarball) => Uint8Array.from(readFileSync(tarball));

/**
 * The rules of publint.
 * @param {string} tarball
 * @param {object} manifest
 * @returns {Promise<string[]>}
 */
export async function publintFaults(tarball, manifest) {
  const { messages } = await publint({ pack: { tarball: bytesOf(tarball).buffer }, strict: true });
  return messages.map(
    (message) => `publint: ${formatMessage(message, manifest, { color: false })}`,
  );
}

/** Old ways to resolve that know no exports, and require() of modules, which Node has from 20.19 on. */
const oldWays = ['node10', 'node16-cjs'];

/**
 * Types that do not resolve where modules do.
 * @param {string} tarball
 * @returns {Promise<string[]>}
 */
export async function typeFaults(tarball) {
  const result = await checkPackage(createPackageFromTarballData(bytesOf(tarball)), {
    // What compiles components of Astro knows their types.
    excludeEntrypoints: [/\.wasm$/, /\.astro$/],
  });
  const problems = 'problems' in result ? result.problems : [{ kind: 'NoTypes' }];
  const isOld = (/** @type {object} */ problem) =>
    'resolutionKind' in problem && oldWays.includes(String(problem.resolutionKind));
  return problems
    .filter((problem) => !isOld(problem))
    .map((problem) => `types: ${JSON.stringify(problem)}`);
}

/**
 * What npm says when it publishes without sending anything: why it refuses, and what it corrects in the manifest. It asks no registry.
 * @param {string} folder
 * @returns {string[]}
 */
export function npmFaults(folder) {
  const args = [
    'publish',
    folder,
    '--dry-run',
    '--ignore-scripts',
    '--offline',
    '--access',
    'public',
  ];
  const { status, stderr } = spawnSync('npm', [...args, '--loglevel', 'warn'], {
    encoding: 'utf8',
  });
  const said = stderr.split('\n').filter((line) => /^npm (error|warn publish) /.test(line));
  const isCorrected = said.some((line) => line.includes('errors corrected'));
  return status !== 0 || isCorrected ? [`npm publish: ${said.join('; ')}`] : [];
}
