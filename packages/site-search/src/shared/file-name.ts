// Files are named by the SHA-256 of what they hold, so that they never change and can be cached for ever. 71 bits are
// enough, because nobody gains by two files with one name. A name begins with a letter: some hosts, such as GitHub Pages,
// leave out files whose names begin with `_`.

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
  words: (set: string, place: number) => `words/${set}/${place}.bin`,
  list: (set: string, place: number) => `vectors/${set}/${place}.bin`,
  text: (group: string, place: number) => `texts/${group}/${place}.bin`,
  centroids: (name: string) => `vectors/${name}.bin`,
  table: (name: string) => `tables/${name}.bin`,
  model: (name: string) => `model/${name}.weights`,
} as const;

export const manifestName = 'manifest.json';
/** Parts in a group of texts. */
export const groupSize = 256;
