// Checks that the packages are ready to be published, or publishes them. `npm run build` comes before.
//
//   npm run publish:check     packs each package as it would be published, checks it, and sends nothing
//   npm run publish:all       does the same, and then publishes them in their order. One whose version is at the registry is left out
import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkPackages } from './publish/check.mjs';

const { values } = parseArgs({
  options: { publish: { type: 'boolean', default: false }, root: { type: 'string' } },
});
const root = values.root ?? fileURLToPath(new URL('../..', import.meta.url));

const report = await checkPackages(root, (staged, { faults, missing }) => {
  if (values.publish && faults.length === 0 && missing.length === 0) {
    staged.forEach(publish);
  }
});
const { names, faults, missing } = report;
for (const fault of [...faults, ...(values.publish ? missing : [])]) {
  console.error(fault);
}
if (faults.length > 0 || (values.publish && missing.length > 0)) {
  console.error('Nothing was published.');
  process.exitCode = 1;
} else if (!values.publish) {
  console.log(`These packages are ready, in this order: ${names.join(', ')}`);
  for (const fault of missing) {
    console.log(`Before publishing: ${fault}`);
  }
}

/** @param {import('./publish/stage.mjs').Staged} staged */
function publish({ name, manifest, folder }) {
  const asked = spawnSync('npm', ['view', `${name}@${manifest.version}`, 'version'], {
    encoding: 'utf8',
  });
  if (asked.stdout.trim() === manifest.version) {
    console.log(`${name} ${manifest.version} is published already`);
    return;
  }
  execFileSync('npm', ['publish', folder, '--ignore-scripts', '--access', 'public'], {
    stdio: 'inherit',
  });
}
