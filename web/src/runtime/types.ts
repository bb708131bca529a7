// What workers say of their WebAssembly and its memory.

/** The memory of an instance, for another one to go on from: a copy of its bytes, or the memory itself and the handle of
 *  a stack in it. */
export type LentMemory =
  | { readonly heap: Uint8Array<ArrayBuffer> }
  | {
      readonly shared: WebAssembly.Memory;
      readonly stack: number;
      /** An address. The stack grows downwards from there. */
      readonly stackTop: number;
    };

/** A compiled module and the memory of one of its instances. */
export interface LentModule {
  readonly compiled: WebAssembly.Module;
  readonly memory: LentMemory;
}

export interface Hello {
  readonly formats: readonly string[];
}

/** Loads the WebAssembly and says which formats it knows. */
export type HelloCalls = { hello: { in: null; out: Hello } };
