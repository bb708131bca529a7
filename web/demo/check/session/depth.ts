// How much of a file is checked.

import type { ValidateOptions } from 'ambry';
import type { CheckSource } from '../../shared/files/given-sources.ts';

/** `headers` is quick. The others read the whole file. */
export type Depth = 'headers' | 'checksums' | 'values';

export function optionsFor(depth: Depth, source: CheckSource): ValidateOptions {
  if (depth === 'values') {
    return { values: true };
  }
  // For an address the package chooses the depth, as that depends on the server.
  return depth === 'checksums' || typeof source !== 'string'
    ? { checksums: depth === 'checksums' }
    : {};
}
