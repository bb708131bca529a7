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

/** Packs the repository's packages, and unpacks `ambry` once, with `ambry-pdf` in its folder `pdf`. */
export async function pack() {
  const tarballs = await packPackages(work, ['ambry', 'ambry-pdf', 'ambry-whole']);
  const unpacked = `${work}unpacked`;
  rmSync(unpacked, { recursive: true, force: true });
  for (const [name, to] of [
    ['ambry', unpacked],
    ['ambry-pdf', `${unpacked}/pdf`],
  ]) {
    mkdirSync(to, { recursive: true });
    await run('tar', ['xzf', tarballs[name], '--strip-components=1', '-C', to]);
  }
  return { tarballs, unpacked };
}

/** A copy of an app with the program and everything that it needs. `more` are packages that it needs besides `ambry`. */
export async function install(app, { tarballs }, more = []) {
  const files = [
    [`${here}apps/${app}`, ''],
    [`${here}program`, 'program'],
  ];
  return installApp(work, tarballs, {
    name: app,
    files,
    packages: ['ambry', 'ambry-pdf', ...more],
  });
}

/** The version of a package that an app has, or of the browser. */
export function versionOf(folder, name) {
  return name === 'chromium' ? browserVersion() : installedVersion(folder, name);
}
