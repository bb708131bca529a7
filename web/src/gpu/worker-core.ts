// What this folder needs of others, which it imports no code from: the script is one file, fetched by who asks for a device.
import type { CoreModule, Handle, HeapRange, Outcome, OutcomeText } from '../wasm/module.mjs';

/** Something went wrong with the device, or it cannot run the model. */
export class DeviceFault extends Error {
  override readonly name = 'DeviceFault';
}

export function unwrap<T>(text: OutcomeText<T>): T {
  const outcome = JSON.parse(text) as Outcome<T>;
  if ('error' in outcome) {
    const { path, message } = outcome.error;
    throw new DeviceFault(path ? `${path}: ${message}` : message);
  }
  return outcome.value;
}

/** Runs `use` and frees the object, whatever happens. */
export async function using<H extends Handle, T>(
  module: CoreModule,
  handle: H,
  use: (handle: H) => Promise<T>,
): Promise<T> {
  try {
    return await use(handle);
  } finally {
    module.release(handle);
  }
}

export const messageOf = (error: unknown): string =>
  error instanceof Error || (typeof error === 'object' && error !== null && 'message' in error)
    ? String(error.message)
    : String(error);

/** A copy of `count` numbers of 4 bytes. */
export const heapBytes = ({ HEAPU8 }: CoreModule, address: number, count: number): ArrayBuffer =>
  HEAPU8.slice(address, address + 4 * count).buffer as ArrayBuffer;

/** The numbers of a list in the heap, one after another. */
export function heapNumbers(module: CoreModule, { address, size }: HeapRange) {
  const numbers = new Uint32Array(heapBytes(module, address, size / 4));
  let at = 0;
  return {
    next: (): number => numbers[at++] ?? 0,
    get done(): boolean {
      return at >= numbers.length;
    },
  };
}
