// Installs packages as npm would, without asking the registry: packed, and unpacked beside what they depend on.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Installs the package of a folder in the folder of an app: ambry if none is named. Returns the files of the tarball. */
export function installPackage(app: string, folder = root): readonly string[] {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', app];
  const out = execFileSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const report = JSON.parse(out) as unknown;
  const [first] = (Array.isArray(report) ? report : Object.values(report as object)) as {
    filename: string;
    files: { path: string }[];
  }[];
  const path = join(folder, 'package.json');
  const { name, dependencies = {} } = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  const installed = join(app, 'node_modules', name);
  mkdirSync(installed, { recursive: true });
  const tarball = join(app, first?.filename ?? '');
  execFileSync('tar', ['xzf', tarball, '--strip-components=1', '-C', installed]);
  // What npm install would bring.
  for (const needed of withDependencies(Object.keys(dependencies))) {
    const copy = join(app, 'node_modules', needed);
    cpSync(join(root, 'node_modules', needed), copy, { recursive: true });
  }
  return first?.files.map((file) => file.path) ?? [];
}

/** The packages, and those that they need. */
function withDependencies(names: readonly string[]): Set<string> {
  const found = new Set<string>();
  const visit = (name: string) => {
    if (found.has(name)) {
      return;
    }
    found.add(name);
    const path = join(root, 'node_modules', name, 'package.json');
    const { dependencies = {} } = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
    Object.keys(dependencies).forEach(visit);
  };
  names.forEach(visit);
  return found;
}
