// The packed package, and a copy of each app in which it is installed. The copies lie outside the repository, whose
// node_modules they must not find. They stay, so that a second run installs only the package.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { browserVersion } from './browser.mjs';
import { run } from './processes.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const here = fileURLToPath(new URL('../', import.meta.url));
const work = `${tmpdir()}/ambry-ecosystem/`;

/** Packs the repository's package, and unpacks it once. */
export async function pack() {
  mkdirSync(work, { recursive: true });
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', work];
  const report = Object.values(JSON.parse(await run('npm', args, { cwd: root })));
  const tarball = `${work}${report[0].filename}`;
  const unpacked = `${work}unpacked`;
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked);
  await run('tar', ['xzf', tarball, '--strip-components=1', '-C', unpacked]);
  return { tarball, unpacked };
}

/** A copy of an app with the program and everything that it needs. */
export async function install(app, { tarball }) {
  const folder = `${work}apps/${app}/`;
  const modules = `${folder}node_modules`;
  // What an app has built before is removed, and what was installed stays.
  const kept = existsSync(modules);
  const parked = `${work}apps/.${app}-modules`;
  if (kept) await run('mv', [modules, parked]);
  rmSync(folder, { recursive: true, force: true });
  cpSync(`${here}apps/${app}`, folder, { recursive: true });
  cpSync(`${here}program`, `${folder}program`, { recursive: true });
  if (kept) await run('mv', [parked, modules]);
  rmSync(`${modules}/ambry`, { recursive: true, force: true });
  const manifest = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));
  const dependencies = { ...manifest.dependencies, ambry: `file:${tarball}` };
  writeFileSync(`${folder}package.json`, JSON.stringify({ ...manifest, dependencies }, null, 2));
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', args, { cwd: folder });
  return folder;
}

/** The version of a package that an app has, or of the browser. */
export function versionOf(folder, name) {
  if (name === 'chromium') return browserVersion();
  return JSON.parse(readFileSync(`${folder}node_modules/${name}/package.json`, 'utf8')).version;
}
