// Compiles both flavours of the module and takes them into the package's sources, web/src/wasm/:
// one glue file for both, its types, and two .wasm files.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = `${root}web/src/wasm/`;
const flavours = ['baseline', 'relaxed'];
const built = (flavour, file) => `${root}build/wasm-${flavour}/wasm/${file}`;

function cmake(...args) {
  execFileSync('cmake', args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
}

// Copies only what changed, so that whoever watches the target rests.
function take(from, to) {
  const old = statSync(to, { throwIfNoEntry: false });
  if (!old || !readFileSync(from).equals(readFileSync(to))) copyFileSync(from, to);
}

for (const flavour of flavours) {
  cmake('--preset', `wasm-${flavour}`, '--log-level=NOTICE');
  cmake('--build', '--preset', `wasm-${flavour}`, '--', '--quiet');
}

const [glue, otherGlue] = flavours.map((flavour) => readFileSync(built(flavour, 'ambry.mjs')));
if (!glue.equals(otherGlue)) {
  console.error('The flavours have different glue, but the package ships it once:');
  for (const flavour of flavours) console.error(`  ${built(flavour, 'ambry.mjs')}`);
  process.exit(1);
}

mkdirSync(target, { recursive: true });
take(built('baseline', 'ambry.mjs'), `${target}ambry.mjs`);
take(`${root}wasm/module.d.ts`, `${target}ambry.d.mts`);
for (const flavour of flavours)
  take(built(flavour, 'ambry.wasm'), `${target}ambry-${flavour}.wasm`);
