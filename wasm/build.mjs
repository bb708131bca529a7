// Compiles the modules in both flavours and takes them into the package's sources, web/src/wasm/: of
// each module one glue file for both flavours, its types, and two .wasm files; and tables.ts.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeTables } from './tables.mjs';

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

// embind is made for classes, fields and arguments of any kind, which may be registered in any order, and
// encodes texts itself, byte by byte. Here functions take and give texts, bytes, numbers and truths, and look
// for the types when they are called. Texts are copied out of the heap, for in shared memory not every engine
// decodes them.
const simpler = [
  [
    /var awaitingDependencies=.*?(?=function __embind_register_bool)/s,
    'var registeredTypes={};var registerType=(rawType,type)=>{registeredTypes[rawType]=type};',
  ],
  [
    /,argPackAdvance:GenericWireTypeSize,readValueFromPointer:function.*?destructorFunction:null/s,
    '',
  ],
  [/var floatReadValueFromPointer=.*?(?=var __embind_register_float=)/s, ''],
  [/,argPackAdvance:GenericWireTypeSize,readValueFromPointer:float.*?destructorFunction:null/s, ''],
  [
    /var createNamedFunction=.*?(?=var heap32VectorToArray=)/s,
    'var callWith=(typeIds,invoke,target)=>(...args)=>{var [result,...types]=typeIds.map(id=>registeredTypes[id]);var free=[];var wired=types.map((type,i)=>type.toWireType(free,args[i]));var value=invoke(target,...wired);free.forEach(_free);return result.fromWireType(value)};',
  ],
  [/var replacePublicSymbol=.*?(?=function __embind_register_function)/s, 'var wasmTable;'],
  [
    /name=readLatin1String\(name\);name=getFunctionName\(name\);.*?(?=function readPointer)/s,
    'Module[readLatin1String(name).split("(")[0]]=callWith(argTypes,wasmTable.get(rawInvoker),fn)}',
  ],
  [/function readPointer\(pointer\)\{.*?(?=var UTF8Decoder=)/s, 'var UTF8Encoder=new TextEncoder;'],
  [/var UTF8ToString=.*?(?=function __embind_register_std_string)/s, ''],
  [/var stdStringIsUTF8=.*?(?=registerType\(rawType,\{name,fromWireType\(value\))/s, ''],
  [
    /(?<=var payload=value\+4;)var str;if\(stdStringIsUTF8\).*?(?=_free\(value\);return str)/s,
    'var str=UTF8Decoder.decode(HEAPU8.slice(payload>>>0,payload+length>>>0));',
  ],
  [
    /(?<=toWireType\()destructors,value\)\{if\(value instanceof ArrayBuffer\).*?destructorFunction\(ptr\)\{_free\(ptr\)\}/s,
    'free,value){if(typeof value=="string")value=UTF8Encoder.encode(value);var base=_malloc(4+value.length);HEAPU32[base>>>2>>>0]=value.length;HEAPU8.set(value,base+4>>>0);free.push(base);return base}',
  ],
  ['var ENVIRONMENT_IS_WEB=true;var ENVIRONMENT_IS_WORKER=false;', ''],
  ['what+=". Build with -sASSERTIONS for more info.";', ''],
  ['Module["calledRun"]=1;', ''],
  [/var dataURIPrefix=.*?(?=function getWasmImports)/s, ''],
  [/Module\["HEAPF32"\]=.*?(?=\}var __ATINIT__)/s, ''],
  [/BindingError=Module\["BindingError"\]=.*?(?=var wasmImports=)/s, ''],
];

function withoutUnused(text) {
  return [...unused.map((part) => [part, '']), ...simpler].reduce((rest, [part, instead]) => {
    const shorter = rest.replace(part, instead);
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
  put(Buffer.from(kTypes), `${target}${module}.d.mts`);
  for (const flavour of flavours)
    take(built(flavour, `${module}.wasm`), `${target}${module}-${flavour}.wasm`);
}

for (const flavour of flavours) {
  cmake('--preset', `wasm-${flavour}`, '--log-level=NOTICE');
  cmake('--build', '--preset', `wasm-${flavour}`, '--', '--quiet');
}
mkdirSync(target, { recursive: true });
for (const name of ['module', 'types']) take(`${root}wasm/${name}.d.mts`, `${target}${name}.d.mts`);
for (const module of modules) collect(module);
await writeTables();
