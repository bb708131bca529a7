// Moving values over the border to the core: outcomes, bytes by address, and who frees what.
import { errorFrom } from '../errors.ts';
import type { AmbryModule, HeapRange, Outcome } from '../wasm/ambry.mjs';

/** The value, or the core's error thrown as ours. */
export function unwrap<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw errorFrom(outcome.error);
}

/** A copy of a piece of the heap, in a buffer of its own. */
export function copyOut(module: AmbryModule, range: HeapRange): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(range.size);
  copy.set(module.HEAPU8.subarray(range.address, range.address + range.size));
  return copy;
}

/** Runs `use` and frees the handle, whatever happens. */
export async function using<H extends { delete(): void }, T>(
  handle: H,
  use: (handle: H) => T | Promise<T>,
): Promise<T> {
  try {
    return await use(handle);
  } finally {
    handle.delete();
  }
}
