// What a file holds, by its first bytes, where a worker of its own runs it: word vectors (finalfusion), and
// models that generate text (AMB, and ALT in its spellings, core/formats/alt/README.md).

/** Bytes to be looked at. */
export const kMagicBytes = 5;

const kMagics: readonly (readonly [string, Held])[] = [
  ['FiFu', 'words'],
  ['AMBEE', 'generator'],
  ['ctla', 'generator'],
  ['altc', 'generator'],
  ['\0tla', 'generator'],
];

export type Held = 'words' | 'generator';

export function heldBy(head: Uint8Array): Held | undefined {
  const text = new TextDecoder('latin1').decode(head.subarray(0, kMagicBytes));
  return kMagics.find(([magic]) => text.startsWith(magic))?.[1];
}
