// Builds dist/ of each package here that has a tsconfig.build.json, those first that others need. What a package makes
// beyond that is in its own build.mjs. Run web/build.mjs before: the types of `ambry` are its.
//
//   node packages/build.mjs
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const packages = new Map(
  readdirSync(here)
    .map((name) => join(here, name))
    .filter((folder) => existsSync(join(folder, 'tsconfig.build.json')))
    .map((folder) => ({
      folder,
      ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
    }))
    .map((description) => [description.name, description]),
);
const built = new Set();
for (const name of packages.keys()) {
  build(name);
}

function build(name) {
  const description = packages.get(name);
  if (!description || built.has(name)) {
    return;
  }
  built.add(name);
  const { folder, dependencies = {}, bin = {} } = description;
  for (const needed of Object.keys(dependencies)) {
    build(needed);
  }
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  const tsc = join(here, '../node_modules/.bin/tsc');
  execFileSync(tsc, ['-p', join(folder, 'tsconfig.build.json')], { stdio: 'inherit' });
  copyOthers(join(folder, 'src'), join(folder, 'dist'));
  const further = join(folder, 'build.mjs');
  if (existsSync(further)) {
    execFileSync(process.execPath, [further], { stdio: 'inherit' });
  }
  for (const path of Object.values(bin)) {
    chmodSync(join(folder, path), 0o755);
  }
  copyFileSync(join(here, '../LICENSE'), join(folder, 'LICENSE'));
}

/** Styles and components of other languages go along as they are. */
function copyOthers(source, target) {
  const others = readdirSync(source, { recursive: true }).filter((path) =>
    /\.(css|astro)$/.test(path),
  );
  for (const path of others) {
    copyFileSync(join(source, path), join(target, path));
  }
}
