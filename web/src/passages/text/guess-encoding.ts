// Guesses the encoding of a text that is not UTF-8. Loaded with the first such text.
import { analyse } from 'chardet';
import {
  type DecodedText,
  decodedText,
  decodeStrictly,
  decodeWith,
  guessWarning,
  replacementWarnings,
} from './decoding.ts';

/** The usual encoding of Western texts, used when there is no better guess. */
const fallbackEncoding = 'windows-1252';
/** The confidence in percent that chardet must have, for a text with many and with few bytes above ASCII. */
const minConfidenceOfMany = 20;
const minConfidenceOfFew = 30;
/** A text has many bytes above ASCII from this share on. */
const manyShare = 0.3;
/** Single-byte encodings cannot be told apart by fewer bytes above ASCII than this. */
const minHighBytes = 12;
const multiByteNames = /^(Shift_JIS|Big5|EUC|GB|ISO-2022)/;

export function guessEncoding(bytes: Uint8Array, sample: Uint8Array): DecodedText {
  const damaged = decodeDamagedUtf8(bytes);
  if (damaged !== undefined) {
    return decodedText(damaged, 'utf-8', replacementWarnings(damaged, 'UTF-8'));
  }
  const label =
    likelyEncodings(sample).find((name) => decodeStrictly(name, bytes) !== undefined) ??
    fallbackEncoding;
  const decoder = new TextDecoder(label);
  const { encoding } = decoder;
  return decodedText(decodeWith(decoder, bytes), encoding, [guessWarning(encoding)]);
}

/** Decodes UTF-8 with a few invalid bytes, such as at a cut-off end, and plain ASCII with escape bytes. Returns
 *  undefined if the text is more likely in another encoding. */
function decodeDamagedUtf8(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes);
  let valid = 0;
  let invalid = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0xfffd) {
      invalid++;
    } else if (unit >= 0x80) {
      valid++;
    }
  }
  const isJapanese = valid + invalid === 0 && (text.includes('\x1b$') || text.includes('\x1b('));
  return valid >= 4 * invalid && !isJapanese ? text : undefined;
}

function likelyEncodings(sample: Uint8Array): string[] {
  let high = 0;
  for (const byte of sample) {
    if (byte >= 0x80) {
      high++;
    }
  }
  const isMany = high > manyShare * sample.length;
  const minConfidence = isMany ? minConfidenceOfMany : minConfidenceOfFew;
  return analyse(sample)
    .filter(({ confidence }) => confidence >= minConfidence)
    .map(({ name }) => name)
    .filter((name) =>
      isMany || high >= minHighBytes ? !/^(UTF|ASCII)/.test(name) : multiByteNames.test(name),
    );
}
