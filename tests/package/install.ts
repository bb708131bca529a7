// Installs the package as npm would, without asking the registry: packed, and unpacked beside what it depends on.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Installs it in the folder of an app. Returns the files of the tarball. */
export function installPackage(app: string): readonly string[] {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', app];
  const out = execFileSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const report = JSON.parse(out) as unknown;
  const [first] = (Array.isArray(report) ? report : Object.values(report as object)) as {
    filename: string;
    files: { path: string }[];
  }[];
  const installed = join(app, 'node_modules/ambry');
  mkdirSync(installed, { recursive: true });
  const tarball = join(app, first?.filename ?? '');
  execFileSync('tar', ['xzf', tarball, '--strip-components=1', '-C', installed]);
  // What npm install would bring.
  const path = join(root, 'package.json');
  const { dependencies = {} } = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  for (const name of withDependencies(Object.keys(dependencies))) {
    cpSync(join(root, 'node_modules', name), join(app, 'node_modules', name), { recursive: true });
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
