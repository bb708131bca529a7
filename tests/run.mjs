// Builds everything and runs every suite, one after the other, also after one has failed. The last line
// is the sum: `N passed, N failed`, with `, N skipped` when there are any.
//
//   node tests/run.mjs [SUITE...]     all suites, or those named (lint, native, asan, wasm, web, e2e)
import { spawnSync } from 'node:child_process';
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
  // What two presets compile alike is compiled once, although their folders differ.
  CCACHE_NOHASHDIR: '1',
};

const sum = { passed: 0, failed: 0, skipped: 0 };
const failures = [];

function run(command, ...args) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (error) console.error(`${command}: ${error.message}`);
  return status === 0;
}

function add(name, counts) {
  for (const key of Object.keys(sum)) sum[key] += counts[key];
  if (counts.failed > 0) failures.push(`${name}: ${counts.failed} failed`);
}

/** A check without tests of its own counts as one test. */
function check(name, command, ...args) {
  console.log(`\n== ${name}`);
  const good = run(command, ...args);
  add(name, { passed: good ? 1 : 0, failed: good ? 0 : 1, skipped: 0 });
}

/** A step that others need counts only when it fails. */
function need(name, command, ...args) {
  console.log(`\n== ${name}`);
  const good = run(command, ...args);
  if (!good) add(name, { passed: 0, failed: 1, skipped: 0 });
  return good;
}

/** A program that writes a report; one that dies before, or fails without saying where, fails once. */
function suite(name, report, read, command, ...args) {
  console.log(`\n== ${name}`);
  rmSync(report, { force: true });
  const good = run(command, ...args);
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

function googleTest(preset, ...command) {
  if (!buildPreset(preset)) return;
  const folder = join(root, 'build', preset, 'tests');
  const extension = command.length > 0 ? '.cjs' : '';
  const launch = (program, ...args) => {
    const [first, ...rest] = [...command, `${program}${extension}`, ...args];
    return [first, ...rest];
  };
  const report = join(reports, `${preset}.json`);
  suite(
    `ambry_tests, ${preset}`,
    report,
    readGoogleTest,
    ...launch(join(folder, 'ambry_tests'), '--gtest_brief=1', `--gtest_output=json:${report}`),
  );
  const corpus = join(root, 'tests/fuzz/corpus');
  check(`fuzz targets, ${preset}`, ...launch(join(folder, 'fuzz_replay'), corpus));
}

function checkTypes() {
  const projects = ['client', 'worker', 'node', 'demo'].map((name) => `web/tsconfig.${name}.json`);
  for (const project of [...projects, 'tests/tsconfig.json']) {
    check(`types of ${project}`, join(bin, 'tsc'), '-p', project);
  }
}

const suites = {
  build() {
    const compiled = need('build the modules', process.execPath, 'wasm/build.mjs');
    if (compiled) need('build the package and the site', process.execPath, 'web/build.mjs');
  },
  lint() {
    check('clang-format', 'bash', 'tests/lint/format.sh');
    check('biome', join(bin, 'biome'), 'ci', '--error-on-warnings', '.');
    check('layers', process.execPath, 'tests/lint/layers.mjs');
    checkTypes();
    check('clang-tidy', process.execPath, 'tests/lint/tidy.mjs');
  },
  native: () => googleTest('dev'),
  asan: () => googleTest('asan'),
  wasm() {
    googleTest('wasm-baseline-test', process.execPath);
    googleTest('wasm-relaxed-test', process.execPath);
  },
  web() {
    const report = join(reports, 'vitest.json');
    suite(
      'Vitest',
      report,
      readVitest,
      join(bin, 'vitest'),
      'run',
      '--config=tests/vitest.config.ts',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    );
  },
  e2e() {
    const report = join(root, 'build/e2e/report.json');
    const config = '--config=e2e/playwright.config.ts';
    suite('Playwright', report, readPlaywright, join(bin, 'playwright'), 'test', config);
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
  suites[name]();
  times.push(`${name} ${Math.round((performance.now() - start) / 1000)} s`);
}

console.log(`\n${times.join(', ')}`);
for (const failure of failures) console.log(failure);
const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : '';
console.log(`${sum.passed} passed, ${sum.failed} failed${skipped}`);
process.exit(sum.failed > 0 ? 1 : 0);
