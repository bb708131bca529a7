// Integers of metadata that a number of JavaScript cannot hold. The core sends them apart, because JSON.parse rounds.
import type { FileInfo } from './file-info.ts';

/** Where an integer of the metadata lies, and its digits. */
type LargeInteger = readonly [place: readonly (string | number)[], digits: string];

type Node = Record<string | number, unknown>;

/** Puts them into the metadata as `bigint`. */
export function withLargeIntegers<T extends FileInfo>(
  info: T & { readonly largeIntegers?: readonly LargeInteger[] },
): T {
  const { largeIntegers = [], ...facts } = info;
  for (const [place, digits] of largeIntegers) {
    const last = place.at(-1) ?? '';
    const parent = place
      .slice(0, -1)
      .reduce<Node>((node, step) => node[step] as Node, facts.metadata as Node);
    parent[last] = BigInt(digits);
  }
  return facts as unknown as T;
}
