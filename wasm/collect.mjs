// Takes both flavours of the compiled module into the package's sources: one glue file, two modules.
import { copyFileSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = `${root}web/src/wasm/`;
const flavours = ['baseline', 'relaxed'];
const built = (flavour, file) => `${root}build/wasm-${flavour}/wasm/${file}`;

const [glue, otherGlue] = flavours.map((flavour) => readFileSync(built(flavour, 'ambry.mjs')));
if (!glue.equals(otherGlue)) {
  console.error('The flavours have different glue, but the package ships it once:');
  for (const flavour of flavours) console.error(`  ${built(flavour, 'ambry.mjs')}`);
  process.exit(1);
}

// Copies only what changed, so that whoever watches the target rests.
function take(from, to) {
  const old = statSync(to, { throwIfNoEntry: false });
  if (!old || !readFileSync(from).equals(readFileSync(to))) copyFileSync(from, to);
  const bytes = readFileSync(to);
  console.log(`${to.slice(root.length)}: ${bytes.length} bytes, ${brotliCompressSync(bytes).length} brotli`);
}

mkdirSync(target, { recursive: true });
take(built('baseline', 'ambry.mjs'), `${target}ambry.mjs`);
for (const flavour of flavours) take(built(flavour, 'ambry.wasm'), `${target}ambry-${flavour}.wasm`);
