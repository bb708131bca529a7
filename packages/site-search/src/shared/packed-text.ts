// Texts that are packed with a dictionary, so that any browser unpacks them: its own `deflate` is given the dictionary as a part
// that is not packed, and then the text, which refers to it. A text is stored without that part, which all of them have.

/** The header of a zlib stream with the largest window. */
const header = [0x78, 0x01] as const;
/** Bytes of a block that is not packed. */
const mostOfBlock = 0xffff;
const modulus = 65_521;
/** After so many bytes the sums are still exact. */
const step = 4096;

/** What stands before a stored text in the stream that is unpacked. */
export function streamStart(dictionary: Uint8Array): Uint8Array {
  const start: number[] = [...header];
  for (let at = 0; at < dictionary.length; at += mostOfBlock) {
    const block = dictionary.subarray(at, at + mostOfBlock);
    const { length } = block;
    start.push(0, length & 0xff, length >> 8, ~length & 0xff, (~length >> 8) & 0xff, ...block);
  }
  return Uint8Array.from(start);
}

/** Adler-32, with which such a stream ends. `before` is that of the bytes before. */
export function checksum(bytes: Uint8Array, before = 1): number {
  let low = before & 0xffff;
  let high = before >>> 16;
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(at + step, bytes.length);
    for (; at < end; at++) {
      low += bytes[at] as number;
      high += low;
    }
    low %= modulus;
    high %= modulus;
  }
  return ((high << 16) | low) >>> 0;
}
