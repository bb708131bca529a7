// Installs the servers, runs the tests with them and counts the tests in the last line.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = (command, args) => spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status;

if (run('bash', ['tests/scale/install-servers.sh']) !== 0) process.exit(1);
const folder = mkdtempSync(join(tmpdir(), 'ambry-scale-report-'));
const file = join(folder, 'report.json');
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config=tests/scale/vitest.config.ts'];
const status = run(process.execPath, [
  ...vitest,
  '--reporter=default',
  '--reporter=json',
  `--outputFile=${file}`,
]);
const { numPassedTests, numFailedTests, success } = JSON.parse(readFileSync(file, 'utf8'));
rmSync(folder, { recursive: true });
// A file that cannot be read has no tests, but it has failed.
const failed = success ? 0 : Math.max(1, numFailedTests);
console.log(`${numPassedTests} passed, ${failed} failed`);
process.exit(status === 0 && failed === 0 && numPassedTests > 0 ? 0 : 1);
