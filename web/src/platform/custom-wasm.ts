import type { Greeting, RuntimeOptions } from './types.ts';

type WasmOptions = Pick<Greeting | RuntimeOptions, 'wasmUrl' | 'wasmBinary' | 'wasmModule'>;

/** Whether the caller brings WebAssembly. It needs the worker with everything, whose calls can take it. */
export function isCustom({ wasmUrl, wasmBinary, wasmModule }: Partial<WasmOptions>): boolean {
  return wasmUrl !== undefined || wasmBinary !== undefined || wasmModule !== undefined;
}

/** Whether the address is that of a folder, which has the files of the package by their names. */
export const isFolder = (wasmUrl: string): boolean => /^[^?#]*\/$/.test(wasmUrl);

/** Whether the caller brings one module in place of all others. */
export const isOneModule = (options: Partial<Greeting>): boolean =>
  isCustom(options) && !(options.wasmUrl !== undefined && isFolder(options.wasmUrl));
