// Builds everything and runs every suite, one after the other, also after one has failed. The last line
// is the sum: `N passed, N failed`, with `, N skipped` when there are any.
//
//   node tests/run.mjs [SUITE...]     all suites, or those named (lint, native, asan, wasm, web, e2e)
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = join(root, 'build/reports');
const bin = join(root, 'node_modules/.bin');

// Real models and tokenizers, too large for the repository; tests that need them skip without.
const data = [process.env.AMBRY_DATA, join(root, 'shared/data'), join(root, '../shared/data')].find(
  (folder) => folder && existsSync(folder),
);
const environment = {
  ...process.env,
  ...(data && { AMBRY_DATA: data }),
};

const sum = { passed: 0, failed: 0, skipped: 0 };
const failures = [];

function run(command, args, more = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...environment, ...more },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.on('error', (error) => {
      console.error(`${command}: ${error.message}`);
      resolve(false);
    });
    child.on('close', (status) => resolve(status === 0));
  });
}

function add(name, counts) {
  for (const key of Object.keys(sum)) sum[key] += counts[key];
  if (counts.failed > 0) failures.push(`${name}: ${counts.failed} failed`);
}

/** A check without tests of its own counts as one test. */
async function check(name, command, ...args) {
  console.log(`\n== ${name}`);
  const good = await run(command, args);
  add(name, { passed: good ? 1 : 0, failed: good ? 0 : 1, skipped: 0 });
}

/** A step that others need counts only when it fails. */
async function need(name, command, ...args) {
  console.log(`\n== ${name}`);
  const good = await run(command, args);
  if (!good) add(name, { passed: 0, failed: 1, skipped: 0 });
  return good;
}

/** A program that writes a report; one that dies before, or fails without saying where, fails once. */
async function suite(name, report, read, command, args, more) {
  rmSync(report, { force: true });
  const good = await run(command, args, more);
  let counts = { passed: 0, failed: 0, skipped: 0 };
  if (existsSync(report)) counts = read(JSON.parse(readFileSync(report, 'utf8')));
  const empty = counts.passed + counts.failed === 0;
  if (counts.failed === 0 && (!good || empty)) counts.failed = 1;
  add(name, counts);
}

function readGoogleTest({ testsuites }) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { testsuite } of testsuites) {
    for (const { failures: faults, result } of testsuite) {
      if (faults) counts.failed += 1;
      else if (result === 'COMPLETED') counts.passed += 1;
      else counts.skipped += 1;
    }
  }
  return counts;
}

const readVitest = ({ numPassedTests, numFailedTests, numPendingTests, numTodoTests }) => ({
  passed: numPassedTests,
  failed: numFailedTests,
  skipped: numPendingTests + numTodoTests,
});

const readPlaywright = ({ stats }) => ({
  passed: stats.expected,
  failed: stats.unexpected + stats.flaky,
  skipped: stats.skipped,
});

/** Configures and builds a preset; false when that failed. */
function buildPreset(preset) {
  return need(
    `build ${preset}`,
    'bash',
    '-c',
    'cmake --preset "$1" --log-level=NOTICE && cmake --build --preset "$1" -j "$2" -- --quiet -k 0',
    'build',
    preset,
    String(availableParallelism()),
  );
}

/** Builds a preset's tests and runs them, a share on each processor. */
async function googleTest(preset, folder, ...launcher) {
  if (!(await buildPreset(preset))) return;
  const extension = launcher.length > 0 ? '.cjs' : '';
  const launch = (program, ...args) => [
    ...launcher,
    join(root, 'build', folder, `${program}${extension}`),
    ...args,
  ];
  console.log(`\n== ambry_tests, ${preset}`);
  const shares = availableParallelism();
  const share = (index) => {
    const report = join(reports, `${preset}-${index}.json`);
    const options = ['--gtest_brief=1', `--gtest_output=json:${report}`];
    const [command, ...args] = launch('ambry_tests', ...options);
    const more = { GTEST_TOTAL_SHARDS: String(shares), GTEST_SHARD_INDEX: String(index) };
    const name = `ambry_tests, ${preset}, share ${index + 1} of ${shares}`;
    return suite(name, report, readGoogleTest, command, args, more);
  };
  await Promise.all(Array.from({ length: shares }, (_, index) => share(index)));
  const corpus = join(root, 'tests/fuzz/corpus');
  await check(`fuzz targets, ${preset}`, ...launch('fuzz_replay', corpus));
}

async function checkTypes() {
  const projects = ['client', 'worker', 'node', 'demo'].map((name) => `web/tsconfig.${name}.json`);
  for (const project of [...projects, 'tests/tsconfig.json']) {
    await check(`types of ${project}`, join(bin, 'tsc'), '-p', project);
  }
}

const suites = {
  async build() {
    if (await need('build the modules', process.execPath, 'wasm/build.mjs')) {
      await need('build the package and the site', process.execPath, 'web/build.mjs');
    }
  },
  async lint() {
    await check('clang-format', 'bash', 'tests/lint/format.sh');
    await check('biome', join(bin, 'biome'), 'ci', '--error-on-warnings', '.');
    await check('layers', process.execPath, 'tests/lint/layers.mjs');
    await checkTypes();
    await check('clang-tidy', process.execPath, 'tests/lint/tidy.mjs');
  },
  native: () => googleTest('dev', 'dev/tests'),
  asan: () => googleTest('asan', 'asan/tests'),
  async wasm() {
    for (const flavour of ['baseline', 'relaxed']) {
      await googleTest(`wasm-${flavour}-test`, `wasm-test/tests/${flavour}`, process.execPath);
    }
  },
  web() {
    console.log('\n== Vitest');
    const report = join(reports, 'vitest.json');
    return suite('Vitest', report, readVitest, join(bin, 'vitest'), [
      'run',
      '--config=tests/vitest.config.ts',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ]);
  },
  e2e() {
    console.log('\n== Playwright');
    const report = join(root, 'build/e2e/report.json');
    const config = '--config=e2e/playwright.config.ts';
    return suite('Playwright', report, readPlaywright, join(bin, 'playwright'), ['test', config]);
  },
};

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in suites));
if (unknown.length > 0) {
  console.error(
    `no such suite: ${unknown.join(', ')}; there are ${Object.keys(suites).join(', ')}`,
  );
  process.exit(2);
}

mkdirSync(reports, { recursive: true });
const times = [];
for (const name of chosen.length > 0 ? chosen : Object.keys(suites)) {
  const start = performance.now();
  await suites[name]();
  times.push(`${name} ${Math.round((performance.now() - start) / 1000)} s`);
}

console.log(`\n${times.join(', ')}`);
for (const failure of failures) console.log(failure);
const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : '';
console.log(`${sum.passed} passed, ${sum.failed} failed${skipped}`);
process.exit(sum.failed > 0 ? 1 : 0);
