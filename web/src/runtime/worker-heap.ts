// Moving values over the border to the core: outcomes, bytes by address, and who frees what.
import { errorFrom } from '../base/errors.ts';
import { plainJson } from '../base/plain-json.ts';
import type { CoreModule, Handle, HeapRange, Outcome, OutcomeText } from '../wasm/module.mjs';

export const outcomeOf = <T>(text: OutcomeText<T>): Outcome<T> => JSON.parse(text) as Outcome<T>;

/** The value, or the core's error thrown as ours. */
export function unwrap<T>(text: OutcomeText<T>): T {
  return valueIn(outcomeOf(text));
}

export function valueIn<T>(outcome: Outcome<T>): T {
  if ('error' in outcome) {
    throw errorFrom(outcome.error);
  }
  return outcome.value;
}

/** A copy of a piece of the heap, in a buffer of its own. */
export function copyOut(module: CoreModule, range: HeapRange): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(range.size);
  copy.set(viewOf(module, range));
  return copy;
}

/** The bytes themselves, until the next call of the module. */
export function viewOf(module: CoreModule, { address, size }: HeapRange): Uint8Array {
  return module.HEAPU8.subarray(address, address + size);
}

/** As UTF-8. Lone surrogates become U+FFFD, as they do in Hugging Face's tokenizers. */
export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A text for JSON, with its lone surrogates replaced the same way. */
export const wellFormed = (text: string): string => new TextDecoder().decode(encode(text));

/** Options as the core reads them. */
export const toJson = (
  options: object,
  replacer?: (name: string, value: unknown) => unknown,
): string => plainJson(options, 'options', replacer);

/** What the numbers are made of, without a copy. */
export function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Runs `use` and frees the object, whatever happens. */
export async function using<H extends Handle, T>(
  module: CoreModule,
  handle: H,
  use: (handle: H) => T | Promise<T>,
): Promise<T> {
  try {
    return await use(handle);
  } finally {
    module.release(handle);
  }
}
