// Runs clang-tidy over core/ and wasm/. A file that was clean is not looked at again until it, a header
// it includes or .clang-tidy changes.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const buildFolder = join(root, 'build/tidy');
const cacheFile = join(buildFolder, 'clean.json');

function sources(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.cpp'))
    .map((name) => `${folder}/${name}`);
}

// The text of a file and of everything of ours that it includes, each once.
function gather(path, seen = new Map()) {
  if (seen.has(path) || !existsSync(join(root, path))) return seen;
  const text = readFileSync(join(root, path), 'utf8');
  seen.set(path, text);
  for (const [, name] of text.matchAll(/^\s*#\s*include\s+"([^"]+)"/gm)) {
    gather(`core/${name}`, seen);
    gather(join(dirname(path), name), seen);
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
  if (path.startsWith('core/')) return ['-p', buildFolder, path];
  const flags = execFileSync('em++', ['--cflags'], { encoding: 'utf8' }).trim().split(/\s+/);
  const own = ['-std=c++20', '-msimd128', '-fno-exceptions', '-fno-rtti', `-I${root}core`];
  return [path, '--', ...flags, ...own, '-DEMSCRIPTEN_HAS_UNBOUND_TYPE_NAMES=0'];
}

function tidy(path) {
  return new Promise((resolve) => {
    const args = ['--quiet', ...compileArguments(path)];
    const process = spawn('clang-tidy-19', args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    process.stdout.on('data', (chunk) => {
      output += chunk;
    });
    process.on('close', (code) => resolve({ clean: code === 0, output }));
    process.on('error', (error) => resolve({ clean: false, output: `${error.message}\n` }));
  });
}

mkdirSync(buildFolder, { recursive: true });
execFileSync('cmake', ['--preset', 'tidy', '--log-level=ERROR'], { cwd: root, stdio: 'inherit' });
const known = existsSync(cacheFile) ? JSON.parse(readFileSync(cacheFile, 'utf8')) : {};
const all = [...sources('core'), ...sources('wasm')].map((path) => [path, fingerprint(path)]);
const queue = all.filter(([path, print]) => known[path] !== print);
console.log(`clang-tidy: ${queue.length} of ${all.length} files changed`);

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
