// Compiles the modules in both flavours and takes them into the package's sources, web/src/wasm/: of
// each module one glue file for both flavours, its types, and two .wasm files.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = `${root}web/src/wasm/`;
const flavours = ['baseline', 'relaxed'];
const modules = ['ambry', 'ambry-run', 'ambry-words', 'ambry-classify', 'ambry-generate'];
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

// The glue can fetch and compile its .wasm file by itself. It never does, for the package hands it a
// compiled module; but bundlers would look for that file, and pages would download the code. Nor does
// anything print, look at the heap as numbers of these types, or ask for the stack. No function is bound
// twice, or with a type that types.cpp lacks, and nothing waits for the module to start or to end.
const unused = [
  'wasmBinaryFile??=findWasmBinary();instantiateAsync(wasmBinary,wasmBinaryFile,info,receiveInstantiationResult).catch(readyPromiseReject);return{}',
  /function findWasmBinary\(\)\{.*?(?=function getWasmImports\(\))/s,
  /function receiveInstantiationResult\(result\)\{.*?\}(?=if\()/s,
  /var scriptDirectory="";.*?(?=var err=)/s,
  /Module\["HEAP(?:8|U?16|32|U?64)"\]=.*?\(b\);?/g,
  /wasmExports\["_?emscripten_stack_\w+"\]=.*?;/g,
  /var ensureOverloadTable=.*?(?=var heap32VectorToArray=)/s,
  /if\(!Module\.hasOwnProperty\(name\)\)\{throwInternalError.*?\}else(?=\{Module\[name\]=value;)/s,
  /exposePublicSymbol\(name,function\(\)\{throwUnboundTypeError.*?\},argCount-1\);/s,
  /var extendError=.*?(?=var getFunctionName=)/s,
  /UnboundTypeError=Module\["UnboundTypeError"\]=.*?;/s,
  'if(!calledPrerun){calledPrerun=1;preRun();if(runDependencies>0){return}}',
  /(?<=readyPromiseResolve\(Module\));postRun\(\)/,
  /function p(?:re|ost)Run\(\)\{.*?\}/gs,
  /var __ATP(?:RE|OST)RUN__=\[\];/g,
];

function withoutUnused(text) {
  return unused.reduce((rest, part) => {
    const shorter = rest.replace(part, '');
    if (shorter === rest) throw new Error(`the glue is not as known here: ${part}`);
    return shorter;
  }, text);
}

function collect(module) {
  const glues = flavours.map((flavour) => readFileSync(built(flavour, `${module}.mjs`)));
  if (!glues[0].equals(glues[1])) {
    throw new Error(`the flavours of ${module} have different glue, but the package ships it once`);
  }
  put(Buffer.from(withoutUnused(String(glues[0]))), `${target}${module}.mjs`);
  take(`${root}wasm/module.d.ts`, `${target}${module}.d.mts`);
  for (const flavour of flavours)
    take(built(flavour, `${module}.wasm`), `${target}${module}-${flavour}.wasm`);
}

for (const flavour of flavours) {
  cmake('--preset', `wasm-${flavour}`, '--log-level=NOTICE');
  cmake('--build', '--preset', `wasm-${flavour}`, '--', '--quiet');
}
mkdirSync(target, { recursive: true });
for (const module of modules) collect(module);
