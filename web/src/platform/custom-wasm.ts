import type { Greeting, RuntimeOptions } from './types.ts';

type WasmOptions = Pick<Greeting | RuntimeOptions, 'wasmUrl' | 'wasmBinary' | 'wasmModule'>;

/** Whether the caller brings WebAssembly. It has everything, and needs the worker with everything. */
export function isCustom({ wasmUrl, wasmBinary, wasmModule }: Partial<WasmOptions>): boolean {
  return wasmUrl !== undefined || wasmBinary !== undefined || wasmModule !== undefined;
}
