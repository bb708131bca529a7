// The packed package, and a copy of each app in which it is installed, with the program that all apps run.
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  installApp,
  installedVersion,
  packPackages,
  workFolder,
} from '../../support/packed-apps.ts';
import { run } from '../../support/processes.ts';
import { browserVersion } from './browser.mjs';

const here = fileURLToPath(new URL('../', import.meta.url));
const work = workFolder('ecosystem');

/** Packs the repository's packages, and unpacks `ambry` once. */
export async function pack() {
  const tarballs = await packPackages(work, ['ambry', 'ambry-whole']);
  const unpacked = `${work}unpacked`;
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked);
  await run('tar', ['xzf', tarballs.ambry, '--strip-components=1', '-C', unpacked]);
  return { tarballs, unpacked };
}

/** A copy of an app with the program and everything that it needs. `more` are packages that it needs besides `ambry`. */
export async function install(app, { tarballs }, more = []) {
  const files = [
    [`${here}apps/${app}`, ''],
    [`${here}program`, 'program'],
  ];
  return installApp(work, tarballs, { name: app, files, packages: ['ambry', ...more] });
}

/** The version of a package that an app has, or of the browser. */
export function versionOf(folder, name) {
  return name === 'chromium' ? browserVersion() : installedVersion(folder, name);
}
