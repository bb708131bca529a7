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

/** Packs the repository's packages, and unpacks `ambry` once. */
export async function pack() {
  mkdirSync(work, { recursive: true });
  const tarballs = {
    ambry: await tarballOf(root),
    'ambry-whole': await tarballOf(`${root}packages/whole`),
  };
  const unpacked = `${work}unpacked`;
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked);
  await run('tar', ['xzf', tarballs.ambry, '--strip-components=1', '-C', unpacked]);
  return { tarballs, unpacked };
}

async function tarballOf(cwd) {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', work];
  const report = Object.values(JSON.parse(await run('npm', args, { cwd })));
  return `${work}${report[0].filename}`;
}

/** A copy of an app with the program and everything that it needs. `more` are packages that it needs besides `ambry`. */
export async function install(app, { tarballs }, more = []) {
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
  for (const name of Object.keys(tarballs)) {
    rmSync(`${modules}/${name}`, { recursive: true, force: true });
  }
  const manifest = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));
  const packed = ['ambry', ...more].map((name) => [name, `file:${tarballs[name]}`]);
  const dependencies = { ...manifest.dependencies, ...Object.fromEntries(packed) };
  writeFileSync(`${folder}package.json`, JSON.stringify({ ...manifest, dependencies }, null, 2));
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', args, { cwd: folder });
  return folder;
}

/** The version of a package that an app has, or of the browser. */
export function versionOf(folder, name) {
  if (name === 'chromium') return browserVersion();
  const manifest = JSON.parse(readFileSync(`${folder}node_modules/${name}/package.json`, 'utf8'));
  return manifest.version.replace(/^v/, '');
}
