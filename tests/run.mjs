// Runs suites of tests, one after the other, also after one has failed. The last line is the sum:
// `N passed, N failed`, with `, N skipped` when there are any. A suite that ran no test counts as failed.
//
//   node tests/run.mjs [--minutes N] [GROUP | SUITE]...
//
// No suite begins after N minutes, and the last lines name those that are left out.
//
// The groups are `test` (the default, what `npm test` runs), and `check` (`npm run check`), which takes the rest.
// `.ci/run` asks for both. tests/README.md says how long each may take.
import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildAll } from '../wasm/toolchain/build.mjs';
import { dataFolder } from './data-folder.mjs';
import { readGoogleTest, readPlaywright, readVitest } from './reports.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = join(root, 'build/reports');
const bin = join(root, 'node_modules/.bin');

/** What every program gets; the same data folder for all of them. */
const environment = { ...process.env, AMBRY_DATA: dataFolder ?? '' };

/** The title of what runs next, with the minutes until now. */
function heading(title) {
  console.log(`\n== ${title} (${Math.floor(performance.now() / 60_000)} min)`);
}

const sum = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
/** Tests that failed once and then passed. They need a mend, too. */
const unsteady = [];

/** True where the program ended well. What it prints is shown, or goes to `onLine`. */
function run(command, args, more = {}, onLine = undefined) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...environment, ...more },
      stdio: ['ignore', onLine ? 'pipe' : 'inherit', 'inherit'],
    });
    if (onLine) {
      createInterface({ input: child.stdout }).on('line', onLine);
    }
    child.on('error', (error) => {
      console.error(`${command}: ${error.message}`);
      resolve(false);
    });
    child.on('close', (status) => resolve(status === 0));
  });
}

function add(name, counts) {
  for (const key of Object.keys(sum)) {
    sum[key] += counts[key];
  }
  for (const test of counts.unsteady ?? []) {
    unsteady.push(`passed only the second time: ${test}`);
  }
  if (counts.failed === 0) {
    return;
  }
  failures.push(`${name}: ${counts.failed} failed`);
  for (const failed of counts.names ?? []) {
    failures.push(`  ${failed}`);
  }
}

/** A check without tests of its own counts as one test. */
async function check(name, command, ...args) {
  heading(name);
  const good = await run(command, args);
  add(name, { passed: good ? 1 : 0, failed: good ? 0 : 1, skipped: 0 });
}

/** A step that others need counts only when it fails. */
async function need(name, command, ...args) {
  heading(name);
  const good = await run(command, args);
  if (!good) {
    add(name, { passed: 0, failed: 1, skipped: 0 });
  }
  return good;
}

/** A program that writes a report; one that dies before, or fails without saying where, fails once. */
async function suite(name, report, read, command, args, more, onLine) {
  rmSync(report, { force: true });
  const good = await run(command, args, more, onLine);
  const counts = countsOf(report, read);
  const empty = counts.passed + counts.failed === 0;
  if (empty) {
    console.error(`${name}: no test was run`);
  }
  if (counts.failed === 0 && (!good || empty)) {
    counts.failed = 1;
  }
  add(name, counts);
}

/** Nothing where there is no whole report, as after a crash. */
function countsOf(report, read) {
  try {
    return read(JSON.parse(readFileSync(report, 'utf8')));
  } catch (error) {
    console.error(`no report of the tests: ${error.message}`);
    return { passed: 0, failed: 0, skipped: 0 };
  }
}

/** Shows GoogleTest's output, but of skipped tests only the reasons, each once with its count. */
function skipCollector() {
  const counts = new Map();
  return {
    /** What takes the lines of one program. */
    reader() {
      let isReason = false;
      return (line) => {
        if (isReason) {
          counts.set(line, (counts.get(line) ?? 0) + 1);
        } else if (!line.endsWith(': Skipped')) {
          console.log(line);
        }
        isReason = line.endsWith(': Skipped');
      };
    },
    print() {
      for (const [reason, count] of counts) {
        console.log(`skipped ${count}: ${reason}`);
      }
    },
  };
}

/** Builds that began while something else ran: whether each became good, and what it printed. */
const ahead = new Map();

/** Builds presets, one after the other, in the time that the suites leave the processors. Each suite that waits for
 *  a server, a page or one long test leaves some. */
function buildAhead(presets) {
  let previous = Promise.resolve();
  for (const preset of presets) {
    const lines = [];
    const start = () =>
      run('nice', ['-n', '19', ...buildCommand(preset)], {}, (line) => lines.push(line));
    previous = previous.then(start);
    ahead.set(preset, { built: previous, lines });
  }
}

function buildCommand(preset) {
  const configure = 'cmake --preset "$1" --log-level=NOTICE';
  const build = 'cmake --build --preset "$1" -j "$2" -- --quiet -k 0';
  const processors = String(availableParallelism());
  return ['bash', '-c', `${configure} && ${build}`, 'build', preset, processors];
}

/** Configures and builds a preset, or waits until that is done; false when that failed. */
async function buildPreset(preset) {
  if (!ahead.has(preset)) {
    return need(`build ${preset}`, ...buildCommand(preset));
  }
  heading(`build ${preset}`);
  const { built, lines } = ahead.get(preset);
  const good = await built;
  for (const line of lines) {
    console.log(line);
  }
  if (!good) {
    add(`build ${preset}`, { passed: 0, failed: 1, skipped: 0 });
  }
  return good;
}

/** Builds a preset's tests and runs them, a share on each processor. */
async function googleTest(preset, folder, ...launcher) {
  if (!(await buildPreset(preset))) {
    return;
  }
  const extension = launcher.length > 0 ? '.cjs' : '';
  const launch = (program, ...args) => [
    ...launcher,
    join(root, 'build', folder, `${program}${extension}`),
    ...args,
  ];
  heading(`ambry_tests, ${preset}`);
  const shares = availableParallelism();
  const skips = skipCollector();
  const share = (index) => {
    const report = join(reports, `${preset}-${index}.json`);
    const options = ['--gtest_brief=1', `--gtest_output=json:${report}`];
    const [command, ...args] = launch('ambry_tests', ...options);
    const more = { GTEST_TOTAL_SHARDS: String(shares), GTEST_SHARD_INDEX: String(index) };
    const name = `ambry_tests, ${preset}, share ${index + 1} of ${shares}`;
    return suite(name, report, readGoogleTest, command, args, more, skips.reader());
  };
  await Promise.all(Array.from({ length: shares }, (_, index) => share(index)));
  skips.print();
  const corpus = join(root, 'tests/fuzz/corpus');
  await check(`fuzz targets, ${preset}`, ...launch('fuzz_replay', corpus));
}

async function checkTypes() {
  const projects = ['client', 'worker', 'node', 'demo', 'service-worker'].map(
    (name) => `web/tsconfig.${name}.json`,
  );
  const packages = globSync('packages/*/tsconfig.json', { cwd: root });
  for (const project of [...projects, ...packages, 'tests/tsconfig.json']) {
    await check(`types of ${project}`, join(bin, 'tsc'), '-p', project);
  }
}

/** Vitest, with a command of its and the files that it runs on. */
function vitest(name, args, more = {}, config = 'tests/vitest.config.ts') {
  heading(`Vitest, ${name}`);
  const report = join(reports, `vitest-${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const all = [...args, `--config=${config}`, ...reporters];
  return suite(`Vitest, ${name}`, report, readVitest, join(bin, 'vitest'), all, more);
}

/** One of the projects of Playwright's configuration. */
function playwright(project) {
  heading(`Playwright, ${project}`);
  const report = join(root, 'build/e2e/report.json');
  const args = ['test', '--config=e2e/playwright.config.ts', `--project=${project}`];
  return suite(`Playwright, ${project}`, report, readPlaywright, join(bin, 'playwright'), args);
}

/** Suites that are a GoogleTest program: the preset that builds it, and its folder. */
const programs = {
  native: ['native', 'native/tests'],
  // With AddressSanitizer and UndefinedBehaviorSanitizer, with which it compiles three times as long.
  sanitized: ['asan', 'asan/tests'],
  // By hand only: what GCC makes of the same code, optimised.
  gcc: ['dev', 'dev/tests'],
  // The flavour that current browsers and Node run.
  wasm: ['wasm-relaxed-test', 'wasm-test/tests/relaxed', process.execPath],
  'wasm-baseline': ['wasm-baseline-test', 'wasm-test/tests/baseline', process.execPath],
};

/** Vitest files of `npm run check`: the command line, examples of the documentation, and what is published beside the package.
 *  Tests of all commands are beside the folders of the single ones. */
const commands = globSync('tests/web/cli/*', { cwd: root, withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `tests/web/cli/${name}/`);
const longFolders = [...commands, 'tests/docs/', 'tests/package/', 'packages/'];

const suites = {
  async build() {
    heading('build');
    const later = names.slice(names.indexOf('build') + 1);
    const presets = later.filter((name) => name in programs).map((name) => programs[name][0]);
    if (!(await buildAll(() => buildAhead(presets)))) {
      add('build', { passed: 0, failed: 1, skipped: 0 });
    }
  },
  async lint() {
    await check('clang-format', 'bash', 'tests/lint/format.sh');
    await check('biome', join(bin, 'biome'), 'ci', '--error-on-warnings', '.');
    await check('layers', process.execPath, 'tests/lint/layers.mjs');
    await check('links', process.execPath, 'tests/lint/links.mjs');
    await check('comments', process.execPath, 'tests/lint/comments.mjs');
    await checkTypes();
  },
  web() {
    const longer = ['**/*-{fuzz,long}.test.ts', ...longFolders.map((folder) => `${folder}**`)];
    return vitest('web', ['run', ...longer.map((files) => `--exclude=${files}`)]);
  },
  e2e: () => playwright('pages'),
  'e2e-long': () => playwright('long'),
  'web-long': () => vitest('web-long', ['run', 'long.test.ts', ...longFolders]),
  tidy: () => check('clang-tidy', process.execPath, 'tests/lint/tidy.mjs'),
  // Tokenizers beside those of others, on hundreds of thousands of strings.
  fuzz: () => vitest('fuzz', ['run', 'fuzz.test.ts']),
  // The package in Node for ARM, emulated.
  arm: () => vitest('arm', ['run'], {}, 'tests/arm/vitest.config.ts'),
  // The pages and the package in Firefox and WebKitGTK, beside Chromium.
  engines() {
    heading('engines');
    // The configuration of the engines' tests names the reports.
    const report = join(reports, 'vitest-engines.json');
    const config = '--config=tests/engines/vitest.config.ts';
    return suite('engines', report, readVitest, join(bin, 'vitest'), ['run', config]);
  },
  // Workers on many machines, with real servers on free ports. Where the servers cannot be installed, it fails.
  async scale() {
    if (!(await need('install Redis and PostgreSQL', 'bash', 'tests/scale/install-servers.sh'))) {
      return;
    }
    await vitest('scale', ['run'], {}, 'tests/scale/vitest.config.ts');
  },
  // The TypeScript suites as they run in a clone with nothing beside it. Only tests that look for data (they import
  // data-folder.mjs) can run differently there.
  alone: () =>
    vitest('alone', ['related', 'tests/data-folder.mjs', '--run'], {
      AMBRY_DATA: join(root, 'build/no-data'),
      // The suite fuzz compares more texts. A few show whether the tests work without data.
      AMBRY_FUZZ: '0.01',
    }),
};

for (const [name, program] of Object.entries(programs)) {
  suites[name] = () => googleTest(...program);
}

// Suites that leave time come before those whose programs are built in it. What changes break least comes last.
const groups = {
  test: ['build', 'lint', 'web', 'e2e', 'native'],
  check: [
    'build',
    'tidy',
    'e2e-long',
    'web-long',
    'sanitized',
    'wasm',
    'wasm-baseline',
    'fuzz',
    'alone',
    'engines',
    'scale',
    'arm',
  ],
};

const { values, positionals: asked } = parseArgs({
  options: { minutes: { type: 'string', default: 'Infinity' } },
  allowPositionals: true,
});
const minutes = Number(values.minutes);
if (!(minutes >= 0)) {
  console.error(`--minutes takes a number, not "${values.minutes}"`);
  process.exit(2);
}
const unknown = asked.filter((name) => !(name in groups || name in suites));
if (unknown.length > 0) {
  const known = [...Object.keys(groups), ...Object.keys(suites)].join(', ');
  console.error(`no such suite: ${unknown.join(', ')}; there are ${known}`);
  process.exit(2);
}
const chosen = asked.length > 0 ? asked : ['test'];
const wanted = new Set(chosen.flatMap((word) => groups[word] ?? [word]));
// These tests run with sanitizers in the same run.
if (wanted.has('sanitized')) {
  wanted.delete('native');
}
const names = [...wanted];

mkdirSync(reports, { recursive: true });
console.log(
  dataFolder !== undefined && existsSync(dataFolder)
    ? `test data: ${dataFolder}`
    : `no test data${dataFolder ? ` at ${dataFolder}` : ''}: tests that need it are skipped; AMBRY_DATA names its folder`,
);
const times = [];
const leftOut = [];
for (const name of names) {
  const start = performance.now();
  if (start > minutes * 60_000) {
    leftOut.push(name);
    continue;
  }
  await suites[name]();
  times.push(`${name} ${Math.round((performance.now() - start) / 1000)} s`);
}

console.log(`\n${times.join(', ')}`);
for (const line of [...unsteady, ...failures]) {
  console.log(line);
}
if (leftOut.length > 0) {
  console.log(`left out, because ${minutes} minutes had passed: ${leftOut.join(', ')}`);
}
const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : '';
console.log(`${sum.passed} passed, ${sum.failed} failed${skipped}`);
process.exit(sum.failed > 0 ? 1 : 0);
