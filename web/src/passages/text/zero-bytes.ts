// Tells UTF-16 without a byte order mark from other texts with a few stray zero bytes.

/** UTF-16 of East Asian text has few zero bytes. Other texts have no more than this share, unless they are UTF-16. */
const maxStrayShare = 0.2;
/** In UTF-16 nearly all zeros are the upper halves of characters, or nearly all the lower ones. */
const maxOtherHalf = 0.1;
/** The upper halves of most alphabets are control characters. */
const maxControlShare = 0.02;
/** The upper half of Hiragana and Katakana is the digit 0. */
const kanaByte = 0x30;
const maxKanaShare = 0.15;
/** Most bytes of a text in a Western encoding are printable ASCII. */
const minPrintableShare = 0.75;

/** Whether the zero bytes of a sample are strays. `isUtf8` says whether all bytes are valid UTF-8. */
export function areStray(sample: Uint8Array, isUtf8: boolean): boolean {
  const [even, odd] = [zerosAt(sample, 0), zerosAt(sample, 1)];
  const share = (even + odd) / sample.length;
  const isMixed = Math.min(even, odd) > maxOtherHalf * Math.max(even, odd);
  const isFew = share <= maxStrayShare || (isUtf8 && isMixed && share <= 0.5);
  return isFew && !isWide(sample) && (isUtf8 || isWestern(sample));
}

function zerosAt(sample: Uint8Array, first: number): number {
  let zeros = 0;
  for (let at = first; at < sample.length; at += 2) {
    if (sample[at] === 0) {
      zeros++;
    }
  }
  return zeros;
}

/** Whether the upper halves of UTF-16 show. */
function isWide(sample: Uint8Array): boolean {
  const controls = shareOf(sample, (byte) => byte > 0 && byte < 32 && !isSpace(byte));
  return controls > maxControlShare || shareOf(sample, (byte) => byte === kanaByte) > maxKanaShare;
}

function isWestern(sample: Uint8Array): boolean {
  const printable = shareOf(sample, (byte) => (byte >= 32 && byte < 127) || isSpace(byte));
  return printable >= minPrintableShare;
}

function isSpace(byte: number): boolean {
  return byte >= 9 && byte <= 13;
}

function shareOf(sample: Uint8Array, isCounted: (byte: number) => boolean): number {
  return sample.reduce((sum, byte) => sum + Number(isCounted(byte)), 0) / sample.length;
}
