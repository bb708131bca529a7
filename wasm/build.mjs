// Compiles the modules of modules.json in their flavours into web/src/wasm/: of each module the JavaScript that
// Emscripten made (the glue), one WebAssembly file a flavour, its types, and a loader that says where they lie.
//
//   node wasm/build.mjs [--progress]   with a line for each file that was compiled
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { moduleWithGlue, splitGlue } from './glue.mjs';
import { clearSharedFlag } from './memory-flag.mjs';
import { loaderOf, readModules, typesOf, typesOfAll } from './module-files.mjs';
import { writeTables } from './write-tables.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = `${root}web/src/wasm/`;
const modules = readModules();
const flavours = [...new Set(modules.flatMap((module) => module.flavours))];
const built = (flavour, file) => `${root}build/wasm-${flavour}/wasm/${file}`;
const written = new Set();

const progress = process.argv.includes('--progress');

function cmake(args, more = {}) {
  const env = { ...process.env, ...more };
  execFileSync('cmake', args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
}

// Writes only what changed, so that a watcher of the target does not start for nothing.
function write(name, content) {
  const path = target + name;
  written.add(name);
  if (!existsSync(path) || !readFileSync(path).equals(Buffer.from(content))) {
    writeFileSync(path, content);
  }
}

const copy = (from, name) => write(name, readFileSync(from));

const glues = [];

// The glue of many modules differs in nothing but the names of imports and that of its .wasm file, which it would fetch if the
// package did not hand it a compiled module. So each text is written once. Returns the module's own file.
function glueOf({ name, flavours }) {
  const [whole, ...others] = flavours.map((flavour) => {
    const file = `${name}-${flavour}`;
    return readFileSync(built(flavour, `${file}.mjs`), 'utf8').replaceAll(`${file}.wasm`, '');
  });
  if (others.some((other) => other !== whole)) {
    throw new Error(`the flavours of ${name} have different glue, but the package ships it once`);
  }
  const { glue, names } = splitGlue(whole);
  if (!glues.includes(glue)) {
    glues.push(glue);
  }
  return moduleWithGlue(`glue-${glues.indexOf(glue) + 1}`, names);
}

for (const flavour of flavours) {
  cmake(['--preset', `wasm-${flavour}`, '--log-level=NOTICE']);
  const quiet = progress ? [] : ['--', '--quiet'];
  const status = { NINJA_STATUS: `${flavour} [%f/%t] ` };
  cmake(['--build', '--preset', `wasm-${flavour}`, ...quiet], status);
}

mkdirSync(target, { recursive: true });
const declarations = `${root}wasm/declarations/`;
for (const name of readdirSync(declarations)) {
  copy(declarations + name, name);
}
write('module.d.mts', typesOfAll(modules));
for (const module of modules) {
  write(`${module.name}.mjs`, glueOf(module));
  write(`${module.name}.d.mts`, typesOf(module));
  const sharedAt = {};
  for (const flavour of module.flavours) {
    const file = `${module.name}-${flavour}.wasm`;
    const wasm = readFileSync(built(flavour, file));
    if (module.sharesMemory) {
      sharedAt[flavour] = clearSharedFlag(wasm);
    }
    write(file, wasm);
  }
  write(`${module.loader}.ts`, loaderOf(module, sharedAt));
}
for (const [i, glue] of glues.entries()) {
  write(`glue-${i + 1}.mjs`, glue);
}
await writeTables();
written.add('tables.ts');
for (const name of readdirSync(target)) {
  if (!written.has(name)) {
    rmSync(target + name);
  }
}
