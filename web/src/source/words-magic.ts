// Whether a file holds word vectors, by its first bytes: those of finalfusion, the one format that does.
const kMagic = 'FiFu';

/** Bytes to be looked at. */
export const kWordsMagicBytes: number = kMagic.length;

export function beginsLikeWords(head: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(head.subarray(0, kWordsMagicBytes)) === kMagic;
}
