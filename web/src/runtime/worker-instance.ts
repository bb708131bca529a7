// Makes instances of a compiled module: with a new memory, with a copy of another instance's memory, or over the memory of
// another instance.
import { AmbryError, messageOf } from '../base/errors.ts';
import { withoutStop } from '../base/without-stop.ts';
import type { CoreModule, InstancesBindings, ModuleGlue } from '../wasm/module.mjs';
import type { LentMemory } from './types.ts';
import { unwrap } from './worker-heap.ts';
import { unfit } from './worker-wasm.ts';

const pageBytes = 65536;
/** 16 MB, which Emscripten gives a module at its start, and 4 GB, which is the most that it can have. */
const initialPages = 256;
const maximumPages = 65536;
/** Less room than this is not worth a model. */
const leastMaximumPages = 4096;

/** What Emscripten's JavaScript calls when an instance starts. A module that shares memory keeps these names. */
interface StartExports {
  readonly __wasm_call_ctors: () => void;
  readonly _emscripten_stack_restore: (top: number) => void;
  readonly _embind_initialize_bindings: () => void;
}

export interface Instance<M> {
  readonly module: M;
  readonly compiled: WebAssembly.Module;
  /** What other instances can share. */
  readonly shared?: WebAssembly.Memory;
}

/** `lent` is the memory of another instance of the same module. Whether memory is shared is said by `compiled`, too. */
export async function makeInstance<M extends CoreModule>(
  packaged: ModuleGlue<M>,
  compiled: WebAssembly.Module,
  sharesMemory: boolean,
  lent?: LentMemory,
): Promise<Instance<M>> {
  if (!sharesMemory) {
    const heap = lent && 'heap' in lent ? lent.heap : undefined;
    return { module: await instanceWithHeap(packaged, compiled, heap), compiled };
  }
  const joined = lent && 'shared' in lent ? lent : undefined;
  const shared = joined?.shared ?? newSharedMemory();
  const module = await instanceOver(packaged, compiled, shared, joined?.stackTop);
  return { module, compiled, shared };
}

/** What another worker needs to go on from the memory of this instance. */
export function lend<M extends CoreModule>({ module, shared }: Instance<M>): LentMemory {
  if (!shared) {
    return { heap: copyOf(module) };
  }
  const { stack, top } = unwrap((module as unknown as InstancesBindings).makeStack());
  return { shared, stack, stackTop: top };
}

async function instanceWithHeap<M extends CoreModule>(
  packaged: ModuleGlue<M>,
  compiled: WebAssembly.Module,
  heap?: Uint8Array,
): Promise<M> {
  const module = await (packaged.sharedAt
    ? instanceOver(packaged, compiled, newMemory(heap))
    : create(packaged, compiled, {}, (exports) => {
        // The module looks at its memory next, and not again until it grows.
        if (heap) {
          growTo(exports, heap.length);
        }
        return exports;
      }));
  // This also undoes what the start of the instance has written.
  if (heap) {
    module.HEAPU8.set(heap);
  }
  return module;
}

/** `stackTop` is where the stack of a further instance begins. */
async function instanceOver<M extends CoreModule>(
  packaged: ModuleGlue<M>,
  compiled: WebAssembly.Module,
  memory: WebAssembly.Memory,
  stackTop?: number,
): Promise<M> {
  const join = (exports: WebAssembly.Exports) =>
    stackTop === undefined ? exports : withoutConstructors(exports, stackTop);
  const module = await create(packaged, compiled, { wasmMemory: memory }, join);
  // Another instance may have grown the memory, so a view is made whenever one is asked for. Emscripten sets a view of its
  // own when this instance grows it.
  const get = () => new Uint8Array(memory.buffer);
  return Object.defineProperty(module, 'HEAPU8', { get, set: () => {} });
}

/** The constructors have run in the first instance, over the same memory. Embind needs to be told of the bindings in
 *  every instance, since it keeps them in JavaScript. */
function withoutConstructors(exports: WebAssembly.Exports, stackTop: number): WebAssembly.Exports {
  const start = exports as unknown as StartExports;
  const __wasm_call_ctors = () => {
    start._emscripten_stack_restore(stackTop);
    start._embind_initialize_bindings();
  };
  return { ...exports, __wasm_call_ctors };
}

function create<M extends CoreModule>(
  packaged: ModuleGlue<M>,
  compiled: WebAssembly.Module,
  options: { wasmMemory?: WebAssembly.Memory },
  prepare: (exports: WebAssembly.Exports) => WebAssembly.Exports,
): Promise<M> {
  return new Promise((resolve, reject) => {
    const instantiateWasm = (
      imports: WebAssembly.Imports,
      receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ) => {
      WebAssembly.instantiate(compiled, imports)
        .then(({ exports }) => receive({ exports: prepare(exports) }, compiled))
        .catch((error: unknown) => reject(unfit(error)));
      return {};
    };
    packaged
      .create({ ...options, instantiateWasm })
      .then(resolve)
      .catch(reject);
  });
}

function newMemory(heap?: Uint8Array): WebAssembly.Memory {
  const initial = heap ? heap.length / pageBytes : initialPages;
  return new WebAssembly.Memory({ initial, maximum: maximumPages });
}

/** The engine reserves addresses for the maximum. Where it has fewer, less must do. */
function newSharedMemory(maximum = maximumPages): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial: initialPages, maximum, shared: true });
  } catch (error) {
    if (maximum > leastMaximumPages) {
      return newSharedMemory(maximum / 2);
    }
    const message = `There is not enough memory for WebAssembly: ${withoutStop(messageOf(error))}. Close other tabs or programs.`;
    throw new AmbryError('LimitExceeded', message);
  }
}

function growTo(exports: WebAssembly.Exports, bytes: number): void {
  for (const memory of Object.values(exports)) {
    if (memory instanceof WebAssembly.Memory) {
      memory.grow((bytes - memory.buffer.byteLength) / pageBytes);
    }
  }
}

/** A copy of all of the memory. That there is no room for it is no crash. */
function copyOf({ HEAPU8 }: CoreModule): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(HEAPU8);
  } catch {
    throw new AmbryError('LimitExceeded', 'There is not enough memory for a copy of the model.');
  }
}
