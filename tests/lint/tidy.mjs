// Runs clang-tidy over core/ and wasm/: the files of core/ in the groups in which they are compiled
// together, which takes a quarter of the time. What was clean is not looked at again until it, a header it
// includes or .clang-tidy changes.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const buildFolder = join(root, 'build/tidy');
const cacheFile = join(buildFolder, 'clean.json');

// What one run looks at: a generated file that includes a group, or a file on its own.
function groupsOfCore() {
  const commands = JSON.parse(readFileSync(join(buildFolder, 'compile_commands.json'), 'utf8'));
  const ours = [join(buildFolder, 'core/'), join(root, 'core/')];
  return commands
    .map(({ file }) => file)
    .filter((file) => ours.some((folder) => file.startsWith(folder)));
}

function filesOfWasm() {
  const names = readdirSync(join(root, 'wasm')).filter((name) => name.endsWith('.cpp'));
  return names.map((name) => join(root, 'wasm', name));
}

// The text of a file and of everything of ours that it includes, each once.
function gather(path, seen = new Map()) {
  if (seen.has(path) || !existsSync(path)) return seen;
  const text = readFileSync(path, 'utf8');
  seen.set(path, text);
  for (const [, name] of text.matchAll(/^\s*#\s*include\s+"([^"]+)"/gm)) {
    for (const folder of [root, join(root, 'core')]) gather(resolve(folder, name), seen);
    gather(resolve(dirname(path), name), seen);
  }
  return seen;
}

function fingerprint(path) {
  const hash = createHash('sha256').update(readFileSync(join(root, '.clang-tidy')));
  for (const [name, text] of gather(path)) hash.update(`${name}\0${text}\0`);
  return hash.digest('hex');
}

// core/ as the native build compiles it; the bindings as Emscripten does.
function compileArguments(path) {
  if (!path.startsWith(join(root, 'wasm/'))) return ['-p', buildFolder, path];
  const flags = execFileSync('em++', ['--cflags'], { encoding: 'utf8' }).trim().split(/\s+/);
  const own = ['-std=c++20', '-msimd128', '-fno-exceptions', `-I${root}core`];
  return [path, '--', ...flags, ...own];
}

function tidy(path) {
  return new Promise((done) => {
    const args = ['--quiet', ...compileArguments(path)];
    const process = spawn('clang-tidy-19', args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    process.stdout.on('data', (chunk) => {
      output += chunk;
    });
    process.on('close', (code) => done({ clean: code === 0, output }));
    process.on('error', (error) => done({ clean: false, output: `${error.message}\n` }));
  });
}

mkdirSync(buildFolder, { recursive: true });
execFileSync('cmake', ['--preset', 'tidy', '--log-level=ERROR'], { cwd: root, stdio: 'inherit' });
const known = existsSync(cacheFile) ? JSON.parse(readFileSync(cacheFile, 'utf8')) : {};
const all = [...groupsOfCore(), ...filesOfWasm()].map((path) => [path, fingerprint(path)]);
const queue = all.filter(([path, print]) => known[path] !== print);
console.log(`clang-tidy: ${queue.length} of ${all.length} groups of files changed`);

let faults = 0;
async function work() {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [path, print] = next;
    const { clean, output } = await tidy(path);
    if (clean) {
      known[path] = print;
    } else {
      faults += 1;
      console.error(`${path} is not clean:\n${output}`);
    }
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work));
const still = new Map(all);
writeFileSync(
  cacheFile,
  JSON.stringify(Object.fromEntries(Object.entries(known).filter(([path]) => still.has(path)))),
);
process.exit(faults > 0 ? 1 : 0);
