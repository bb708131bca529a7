// Files are named by the SHA-256 of what they hold, so that they never change and can be cached for ever. 71 bits are
// enough, because nobody gains by two files with one name. A name begins with a letter: some hosts, such as GitHub Pages,
// leave out files whose names begin with `_`.
import type { ChunkKind } from './chunks.ts';

/** Bytes of the digest in a name. */
const nameBytes = 9;
const pattern = /^[A-Za-z][\w-]{11}$/;

export const isFileName = (name: unknown): name is string =>
  typeof name === 'string' && pattern.test(name);

/** Twelve characters of base64url. */
export function fileName(digest: Uint8Array): string {
  const [first = 0, ...others] = digest.subarray(0, nameBytes);
  const text = btoa(String.fromCharCode(first & 0x7f, ...others));
  return text.replaceAll('+', '-').replaceAll('/', '_');
}

/** The bytes of a name, to store it. */
export function nameDigest(name: string): Uint8Array {
  const text = atob(name.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Where the files of each kind are, below the manifest. */
export const filePath = {
  /** The files of a set have one name together, so that the manifest need not list all of them: the hash of them all. */
  pack: (kind: ChunkKind, set: string, place: number) => `${kind}/${set}/${place}.bin`,
  long: (kind: ChunkKind, set: string, place: number) => `${kind}/${set}/all-${place}.bin`,
  centroids: (name: string) => `vectors/${name}.bin`,
  table: (name: string) => `tables/${name}.bin`,
  model: (name: string) => `model/${name}.weights`,
} as const;

export const manifestName = 'manifest.json';

/** A file that tells whether the host answers range requests. Every index has the same one. */
export const probe = {
  path: 'tables/ranges.bin',
  bytes: 256,
  ranges: [
    [0, 8],
    [200, 208],
  ],
} as const;

/** Bytes that differ from each other, so that each says where it is. */
export const probeFile = (): Uint8Array => Uint8Array.from({ length: probe.bytes }, (_, i) => i);
