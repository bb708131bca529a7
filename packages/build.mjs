// Builds dist/ of each package here that has a tsconfig.build.json. Run web/build.mjs first: the types of `ambry` are its.
//
//   node packages/build.mjs [PACKAGE]...
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const names = process.argv.length > 2 ? process.argv.slice(2) : readdirSync(here);

for (const name of names) {
  const folder = join(here, name);
  if (existsSync(join(folder, 'tsconfig.build.json'))) build(folder);
}

function build(folder) {
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  const tsc = join(here, '../node_modules/.bin/tsc');
  execFileSync(tsc, ['-p', join(folder, 'tsconfig.build.json')], { stdio: 'inherit' });
  const { bin = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  for (const file of Object.values(bin)) chmodSync(join(folder, file), 0o755);
}
