// Compiles the modules in both flavours and takes them into the package's sources, web/src/wasm/: of
// each module one glue file for both flavours, its types, and two .wasm files.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = `${root}web/src/wasm/`;
const flavours = ['baseline', 'relaxed'];
const modules = [
  'ambry',
  'ambry-run',
  'ambry-words',
  'ambry-classify',
  'ambry-generate',
  'ambry-inspect',
  'ambry-tokenize',
  'ambry-convert',
];
const kTypes = "export * from './module.mjs';\nexport { default } from './module.mjs';\n";
const built = (flavour, file) => `${root}build/wasm-${flavour}/wasm/${file}`;

function cmake(...args) {
  execFileSync('cmake', args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
}

// Writes only what changed, so that whoever watches the target rests.
function put(content, to) {
  const old = statSync(to, { throwIfNoEntry: false });
  if (!old || !content.equals(readFileSync(to))) writeFileSync(to, content);
}

const take = (from, to) => put(readFileSync(from), to);

// The flavours' glue differs in nothing but the name of its .wasm file, which it would fetch if the package did not
// hand it a compiled module. So one is enough.
function glueOf(module) {
  const [glue, other] = flavours.map((flavour) => {
    const text = readFileSync(built(flavour, `${module}-${flavour}.mjs`), 'utf8');
    return text.replaceAll(`${module}-${flavour}.wasm`, `${module}-${flavours[0]}.wasm`);
  });
  if (glue !== other) {
    throw new Error(`the flavours of ${module} have different glue, but the package ships it once`);
  }
  return glue;
}

function collect(module) {
  put(Buffer.from(glueOf(module)), `${target}${module}.mjs`);
  put(Buffer.from(kTypes), `${target}${module}.d.mts`);
  for (const flavour of flavours) {
    const file = `${module}-${flavour}.wasm`;
    take(built(flavour, file), target + file);
  }
}

for (const flavour of flavours) {
  cmake('--preset', `wasm-${flavour}`, '--log-level=NOTICE');
  cmake('--build', '--preset', `wasm-${flavour}`, '--', '--quiet');
}
mkdirSync(target, { recursive: true });
for (const name of ['module', 'types']) take(`${root}wasm/${name}.d.mts`, `${target}${name}.d.mts`);
for (const module of modules) collect(module);
