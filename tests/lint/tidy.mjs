// Runs clang-tidy over core/ and wasm/: the files of core/ in the groups in which they are compiled
// together, which takes a quarter of the time. What was clean, in this clone or in another one, is not looked at
// again until it, a header it includes or .clang-tidy changes.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const buildFolder = join(root, 'build/tidy');
const userCache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
// Has an empty file for each group that was clean, named by its fingerprint.
const cleanFolder = join(userCache, 'ambry/clang-tidy');
const keptMs = 30 * 24 * 3600 * 1000;

const outputOf = (...command) => execFileSync(command[0], command.slice(1), { encoding: 'utf8' });

// What one run looks at, with its flags: a generated file that includes a group, or a file on its own.
function groupsOfCore() {
  const commands = JSON.parse(readFileSync(join(buildFolder, 'compile_commands.json'), 'utf8'));
  const ours = [join(buildFolder, 'core/'), join(root, 'core/')];
  return commands
    .filter(({ file }) => ours.some((folder) => file.startsWith(folder)))
    .map(({ file, command }) => ({ path: file, flags: command, args: ['-p', buildFolder, file] }));
}

// core/ as the native build compiles it; the bindings as Emscripten does.
function filesOfWasm() {
  const given = outputOf('em++', '--cflags').trim().split(/\s+/);
  const own = ['-std=c++20', '-msimd128', '-fno-exceptions', `-I${root}core`, `-I${root}wasm`];
  const flags = [...given, ...own].join(' ');
  const names = readdirSync(join(root, 'wasm'), { recursive: true });
  const sources = names.filter((name) => name.endsWith('.cpp'));
  return sources.map((name) => {
    const path = join(root, 'wasm', name);
    return { path, flags, args: [path, '--', ...given, ...own] };
  });
}

// The text of a file and of everything of ours that it includes, each once.
function gather(path, seen = new Map()) {
  if (seen.has(path) || !existsSync(path)) {
    return seen;
  }
  const text = readFileSync(path, 'utf8');
  seen.set(path, text);
  for (const [, name] of text.matchAll(/^\s*#\s*include\s+"([^"]+)"/gm)) {
    for (const folder of ['', 'core', 'wasm']) {
      gather(resolve(root, folder, name), seen);
    }
    gather(resolve(dirname(path), name), seen);
  }
  return seen;
}

// A hash of all that decides what clang-tidy says of a file. It is the same in every clone.
function fingerprint({ path, flags }) {
  const hash = createHash('sha256')
    .update(version)
    .update(flags.replaceAll(root.slice(0, -1), ''));
  hash.update(readFileSync(join(root, '.clang-tidy')));
  for (const [name, text] of gather(path)) {
    hash.update(`${relative(root, name)}\0${text}\0`);
  }
  return hash.digest('hex');
}

function isKnownClean(print) {
  const file = join(cleanFolder, print);
  if (!existsSync(file)) {
    return false;
  }
  utimesSync(file, new Date(), new Date());
  return true;
}

function forgetOld() {
  for (const name of readdirSync(cleanFolder)) {
    const file = join(cleanFolder, name);
    const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < Date.now() - keptMs) {
      rmSync(file, { force: true });
    }
  }
}

function tidy(args) {
  return new Promise((done) => {
    const child = spawn('clang-tidy-19', ['--quiet', ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.on('close', (code) => done({ clean: code === 0, output }));
    child.on('error', (error) => done({ clean: false, output: `${error.message}\n` }));
  });
}

mkdirSync(buildFolder, { recursive: true });
mkdirSync(cleanFolder, { recursive: true });
forgetOld();
execFileSync('cmake', ['--preset', 'tidy', '--log-level=ERROR'], { cwd: root, stdio: 'inherit' });
const version = outputOf('clang-tidy-19', '--version');
const all = [...groupsOfCore(), ...filesOfWasm()];
const queue = all
  .map((group) => ({ ...group, print: fingerprint(group) }))
  .filter(({ print }) => !isKnownClean(print));
console.log(`clang-tidy: ${queue.length} of ${all.length} groups of files changed`);

let faults = 0;
async function work() {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { clean, output } = await tidy(next.args);
    if (clean) {
      writeFileSync(join(cleanFolder, next.print), '');
    } else {
      faults += 1;
      console.error(`${next.path} is not clean:\n${output}`);
    }
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work));
process.exit(faults > 0 ? 1 : 0);
