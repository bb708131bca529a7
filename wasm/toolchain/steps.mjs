// Runs the steps of a build and says what each takes. A step is left out where nothing that it reads has changed since it
// ran, and what it made is still as it left it.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  createWriteStream,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} command
 * @property {(path: string) => boolean} reads whether it reads a file of the repository
 * @property {string[]} [uses] patterns of folders that earlier steps make, and this one reads
 * @property {string[]} makes patterns of folders that it makes
 * @property {(path: string) => boolean} [leaves] whether a file in these folders is not of its making
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const stamps = join(root, 'build/steps');

/** Programs that decide about what a step makes. */
const tools = ['node', 'em++', 'clang++-19', 'clang++', 'wasm-ld-19', 'cmake', 'ninja'];
const variables = [
  'CXX',
  'CXXFLAGS',
  'LDFLAGS',
  'EMSDK',
  'EMCC_CFLAGS',
  'NODE_OPTIONS',
  'NODE_ENV',
];

const hashOf = (text) => createHash('sha256').update(text).digest('hex');

/** A line for a file that says whether it has been written since. */
function stateOf(path) {
  const { size, mtimeMs } = statSync(path);
  return `${path}\0${size}\0${mtimeMs}`;
}

/** Which programs there are on PATH, and when they were installed. */
function environment() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = tools.map((name) => {
    const path = folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
    return path ? stateOf(realpathSync(path)) : `no ${name}`;
  });
  return [...found, ...variables.map((name) => `${name}=${process.env[name] ?? ''}`)];
}

let sources;

/** The files of the repository with their content: those that Git tracks, and new ones that it does not ignore. */
function readSources() {
  sources ??= listSources();
  return sources;
}

function listSources() {
  const options = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', options, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const paths = [...new Set(listed.split('\0'))].filter((path) => path !== '').sort();
  return paths
    .filter((path) => statSync(join(root, path), { throwIfNoEntry: false })?.isFile())
    .map((path) => ({ path, hash: hashOf(readFileSync(join(root, path))) }));
}

/** A line for each file below the folders. */
function statesIn(patterns, isLeft = () => false) {
  const folders = patterns.map((pattern) => globSync(pattern, { cwd: root }).sort());
  return folders.flat().flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !isLeft(path.slice(root.length)))
      .sort()
      .map(stateOf),
  );
}

/** What the step reads, as one number. Undefined where nothing is known of it, as without Git. */
function fingerprint({ command, reads, uses = [] }) {
  try {
    const read = readSources().filter(({ path }) => reads(path));
    const sources = read.map(({ path, hash }) => `${path}\0${hash}`);
    return hashOf([...command, ...environment(), ...sources, ...statesIn(uses)].join('\n'));
  } catch {
    return undefined;
  }
}

const madeBy = ({ makes, leaves }) => hashOf(statesIn(makes, leaves).join('\n'));

/** True where the step has nothing to do. */
function isDone(step, before) {
  try {
    const { read, made } = JSON.parse(readFileSync(join(stamps, `${step.name}.json`), 'utf8'));
    return read !== undefined && read === before && made === madeBy(step);
  } catch {
    return false;
  }
}

/** Shows how far a step is: on a terminal in one line, elsewhere with a line at times. */
class Progress {
  #name;
  #shownAt = performance.now();

  constructor(name) {
    this.#name = name;
    this.#write(`${name} ...`, true);
  }

  /** Takes what Ninja says, `baseline [214/308] Building CXX object core/...`. */
  line(text) {
    const [, count, what] = /^(\w+ \[\d+\/\d+\]) (\w+)/.exec(text) ?? [];
    if (count !== undefined) {
      const doing = what === 'Linking' ? 'linking' : 'compiling';
      this.#write(`${this.#name}, ${count} ${doing}`, false);
    }
  }

  end(text) {
    this.#write(text, true);
    if (process.stdout.isTTY) {
      process.stdout.write('\n');
    }
  }

  #write(text, isWanted) {
    if (process.stdout.isTTY) {
      process.stdout.write(`\r\x1b[K${text}`);
    } else if (isWanted || performance.now() - this.#shownAt > 10_000) {
      this.#shownAt = performance.now();
      console.log(text);
    }
  }
}

/** Runs a command, whose output goes to a file. Returns true where it ended well. */
function run([command, ...args], log, onLine) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    const file = createWriteStream(log);
    for (const stream of [child.stdout, child.stderr]) {
      stream.pipe(file, { end: false });
      createInterface({ input: stream }).on('line', onLine);
    }
    child.on('error', (error) => file.write(`${command}: ${error.message}\n`));
    child.on('close', (status) => file.end(() => resolve(status === 0)));
  });
}

const shownLines = 60;

function explain(name, log) {
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  console.error(lines.slice(-shownLines).join('\n'));
  const where = log.slice(root.length);
  const all = lines.length > shownLines ? `; all ${lines.length} lines are in ${where}` : '';
  console.error(`build: the step ${name} failed; its last lines are above${all}`);
}

/** Runs a step if it has to. Returns whether it is good. @param {Step} step */
export async function runStep(step) {
  const start = performance.now();
  const before = fingerprint(step);
  if (isDone(step, before)) {
    console.log(`${step.name}: nothing has changed`);
    return true;
  }
  mkdirSync(stamps, { recursive: true });
  const stamp = join(stamps, `${step.name}.json`);
  rmSync(stamp, { force: true });
  const log = join(stamps, `${step.name}.log`);
  const progress = new Progress(step.name);
  const good = await run(step.command, log, (line) => progress.line(line));
  const seconds = `${Math.round((performance.now() - start) / 1000)} s`;
  progress.end(`${step.name}: ${good ? '' : 'failed after '}${seconds}`);
  if (good) {
    writeFileSync(stamp, JSON.stringify({ read: before, made: madeBy(step) }));
  } else {
    explain(step.name, log);
  }
  return good;
}
