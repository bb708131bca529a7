// Compiles both flavours of the module and takes them into the package's sources, web/src/wasm/:
// one glue file for both, its types, and two .wasm files.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = `${root}web/src/wasm/`;
const flavours = ['baseline', 'relaxed'];
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

// The glue names the .wasm file it would fetch by itself. It never does, for the package hands it a
// compiled module, but bundlers would look for that file.
function withoutOwnUrl(text) {
  const parts = text.split('new URL("ambry.wasm",import.meta.url).href');
  if (parts.length !== 2) throw new Error('the glue names its .wasm file in a way not known here');
  return parts.join('""');
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
put(Buffer.from(withoutOwnUrl(String(glue))), `${target}ambry.mjs`);
take(`${root}wasm/module.d.ts`, `${target}ambry.d.mts`);
for (const flavour of flavours)
  take(built(flavour, 'ambry.wasm'), `${target}ambry-${flavour}.wasm`);
