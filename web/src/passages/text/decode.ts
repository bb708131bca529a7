// Decodes a document by its byte order mark, by the encoding it declares, as UTF-8, or by a guess with a warning.
import { AmbryError } from '../../base/errors.ts';
import { binaryFile, rejectBinary } from './binary.ts';
import {
  type DecodedText,
  decodedText,
  decoderFor,
  decodeStrictly,
  decodeWith,
  guessWarning,
  replacementWarnings,
} from './decoding.ts';
import { areStray } from './zero-bytes.ts';

const byteOrderMarks: readonly (readonly [encoding: string, ...mark: number[]])[] = [
  ['utf-32le', 0xff, 0xfe, 0, 0],
  ['utf-32be', 0, 0, 0xfe, 0xff],
  ['utf-8', 0xef, 0xbb, 0xbf],
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
];
/** A guess looks at this many bytes. */
const sampleBytes = 1 << 16;
/** UTF-16 without a mark must reach this plausibility. */
const minPlausibility = 0.9;
const escapeByte = 0x1b;
const space = 0x20;
const zerosWarning = 'Zero bytes in the text were replaced by spaces.';

/**
 * Decodes a text of unknown encoding. `declared` is the encoding that the document itself names, if it can.
 *
 * Throws `Unsupported` for a file that is not text. The message names the kind of file if it is known.
 */
export async function decodeText(
  path: string,
  bytes: Uint8Array,
  declared?: string,
): Promise<DecodedText> {
  const found = byteOrderMarks.find(([, ...mark]) => mark.every((byte, i) => bytes[i] === byte));
  if (found) {
    return decodeByMark(path, bytes, found[0], found.length - 1);
  }
  rejectBinary(path, bytes);
  const sample = bytes.subarray(0, sampleBytes);
  if (sample.includes(0)) {
    if (!areStray(sample, decodeStrictly('utf-8', bytes) !== undefined)) {
      return decodeWide(path, bytes, sample);
    }
    const spaced = withSpaces(bytes);
    rejectBinary(path, spaced);
    const document = await decodeNarrow(spaced, declared);
    return { ...document, warnings: [...document.warnings, zerosWarning] };
  }
  return decodeNarrow(bytes, declared);
}

/** Decodes a text that is not UTF-16. */
async function decodeNarrow(bytes: Uint8Array, declared?: string): Promise<DecodedText> {
  const sample = bytes.subarray(0, sampleBytes);
  const decoder = declared === undefined ? undefined : decoderFor(declared);
  if (decoder && decoder.encoding !== 'utf-8') {
    const text = decodeWith(decoder, bytes);
    return decodedText(text, decoder.encoding, replacementWarnings(text, decoder.encoding));
  }
  if (!sample.includes(escapeByte)) {
    const text = decodeStrictly('utf-8', bytes);
    if (text !== undefined) {
      return decodedText(text, 'utf-8');
    }
  }
  const { guessEncoding } = await import('./guess-encoding.ts');
  return guessEncoding(bytes, sample);
}

function decodeByMark(
  path: string,
  bytes: Uint8Array,
  encoding: string,
  markBytes: number,
): DecodedText {
  const decoder = decoderFor(encoding);
  if (!decoder) {
    const message = `${path} is encoded in ${encoding.toUpperCase()}, which is not supported. Save it as UTF-8.`;
    throw new AmbryError('Unsupported', message, { byteOffset: 0 });
  }
  const text = decoder.decode(bytes);
  return { text, encoding, warnings: replacementWarnings(text, encoding), markBytes };
}

/** The bytes with spaces in place of zeros. */
function withSpaces(bytes: Uint8Array): Uint8Array {
  const spaced = bytes.slice();
  for (let at = spaced.indexOf(0); at >= 0; at = spaced.indexOf(0, at + 1)) {
    spaced[at] = space;
  }
  return spaced;
}

/** Decodes UTF-16 without a byte order mark. */
function decodeWide(path: string, bytes: Uint8Array, sample: Uint8Array): DecodedText {
  const even = sample.subarray(0, sample.length & ~1);
  const [best] = ['utf-16le', 'utf-16be']
    .map((encoding) => ({
      encoding,
      plausibility: plausibilityOf(new TextDecoder(encoding).decode(even)),
    }))
    .sort((a, b) => b.plausibility - a.plausibility);
  if (!best || best.plausibility < minPlausibility) {
    throw binaryFile(path, sample.indexOf(0));
  }
  const { encoding } = best;
  const wide = new TextDecoder(encoding).decode(bytes);
  const warnings = [guessWarning(encoding), ...replacementWarnings(wide, encoding)];
  return decodedText(wide, encoding, warnings);
}

/** The share of characters that are usual in texts. ASCII and East Asian punctuation count more, because the wrong
 *  byte order does not make letters of them. */
function plausibilityOf(text: string): number {
  const usual = text.match(/[\p{L}\p{M}\p{N}\p{P}\p{Sc}\p{Sm}\p{Zs}\r\n\t]/gu)?.length ?? 0;
  const common = text.match(/[\r\n\t -~\u3000-\u3002\uff0c]/g)?.length ?? 0;
  const characters = [...text].length;
  return (usual + common) / (characters + common || 1) + common / (characters || 1);
}
