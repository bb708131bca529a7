// Packed packages of the repository, and copies of apps in which they are installed. The copies lie outside the repository,
// whose node_modules they must not find. They stay, so that a second run installs only the packages.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { run } from './processes.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The file of each package, by its name. */
export type Tarballs = Readonly<Record<string, string>>;

/** The folder of all copies of one suite. It ends with a slash. */
export const workFolder = (suite: string): string => `${tmpdir()}/ambry-${suite}/`;

/** Packs packages of the repository. They must be built. */
export async function packPackages(work: string, names: readonly string[]): Promise<Tarballs> {
  mkdirSync(work, { recursive: true });
  const tarballs: Record<string, string> = {};
  for (const name of names) {
    const folder = name === 'ambry' ? root : `${root}packages/${name.replace('ambry-', '')}`;
    tarballs[name] = await tarballOf(folder, work);
  }
  return tarballs;
}

async function tarballOf(cwd: string, work: string): Promise<string> {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', work];
  const report = Object.values(JSON.parse(await run('npm', args, { cwd })) as object);
  return `${work}${(report[0] as { filename: string }).filename}`;
}

export interface App {
  readonly name: string;
  /** The folders and files of the app, and where each goes in the copy; `''` is the copy itself. */
  readonly files: readonly (readonly [from: string, to: string])[];
  /** The packed packages that it needs. */
  readonly packages: readonly string[];
}

/** Installs a copy of an app with the packages. Returns its folder, which ends with a slash. */
export async function installApp(
  work: string,
  tarballs: Tarballs,
  { name, files, packages }: App,
): Promise<string> {
  const folder = `${work}apps/${name}/`;
  const modules = `${folder}node_modules`;
  // What an app has built before is removed, and what was installed stays.
  const kept = existsSync(modules);
  const parked = `${work}apps/.${name}-modules`;
  if (kept) {
    await run('mv', [modules, parked]);
  }
  rmSync(folder, { recursive: true, force: true });
  for (const [from, to] of files) {
    cpSync(from, `${folder}${to}`, { recursive: true });
  }
  if (kept) {
    await run('mv', [parked, modules]);
  }
  for (const one of Object.keys(tarballs)) {
    rmSync(`${modules}/${one}`, { recursive: true, force: true });
  }
  const manifest = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));
  const packed = packages.map((one) => [one, `file:${tarballs[one]}`]);
  const dependencies = { ...manifest.dependencies, ...Object.fromEntries(packed) };
  writeFileSync(`${folder}package.json`, JSON.stringify({ ...manifest, dependencies }, null, 2));
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: folder });
  return folder;
}

/** The version of a package that an app has. */
export function installedVersion(folder: string, name: string): string {
  const manifest = JSON.parse(readFileSync(`${folder}node_modules/${name}/package.json`, 'utf8'));
  return String(manifest.version).replace(/^v/, '');
}
