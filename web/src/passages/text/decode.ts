// Bytes to text: by byte order mark, by what the document declares, as UTF-8, or by a guess that is told.
import { AmbryError } from '../../errors.ts';
import { refuseBinary } from './binary.ts';

export interface Decoded {
  readonly text: string;
  /** The standard's name in lower case: `utf-8`, `windows-1252`. */
  readonly encoding: string;
  readonly warnings: readonly string[];
  /** Bytes before the first character: a byte order mark. */
  readonly head: number;
}

const kMarks: readonly (readonly [encoding: string, ...mark: number[]])[] = [
  ['utf-32le', 0xff, 0xfe, 0, 0],
  ['utf-32be', 0, 0, 0xfe, 0xff],
  ['utf-8', 0xef, 0xbb, 0xbf],
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
];
/** As many bytes as a guess looks at. */
const kSample = 1 << 16;
const kZeroByte = 0;
/** As many of them may have strayed into a UTF-8 text. */
const kMostZeros = 0.001;
const kHadZeros = 'Zero bytes in it, which no text has, were taken for spaces.';
/** From here on, zero bytes are halves of characters. */
const kSense = 0.9;
const kEscape = 0x1b;

/**
 * Decodes a text of unknown encoding. `declared` is what the document says of itself, where it can.
 *
 * Throws `Unsupported` for what is no text, naming it where it is known.
 */
export async function decode(path: string, bytes: Uint8Array, declared?: string): Promise<Decoded> {
  const mark = kMarks.find(([, ...signs]) => signs.every((sign, i) => bytes[i] === sign));
  if (mark) return byMark(path, bytes, mark[0], mark.length - 1);
  refuseBinary(path, bytes);
  const sample = bytes.subarray(0, kSample);
  if (sample.includes(kZeroByte)) return decodeWide(path, bytes, sample);
  const known = declared === undefined ? undefined : decoderFor(declared);
  if (known && known.encoding !== 'utf-8') {
    const text = decodeBy(known, bytes);
    return { ...plain(text, known.encoding), warnings: warningOf(text, known.encoding) };
  }
  if (!sample.includes(kEscape)) {
    const text = strictly('utf-8', bytes);
    if (text !== undefined) return plain(text, 'utf-8');
  }
  const { guess } = await import('./guess-encoding.ts');
  return guess(bytes, sample);
}

/** The text, if there is no wrong byte in it. */
export function strictly(label: string, bytes: Uint8Array): string | undefined {
  try {
    return decodeBy(new TextDecoder(label, { fatal: true }), bytes);
  } catch {
    return undefined;
  }
}

/** What windows-1252 has at 0x80 to 0x9F. Node 20 takes the encoding for Latin-1, which has nothing there. */
const kWindows = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

export function decodeBy(decoder: TextDecoder, bytes: Uint8Array): string {
  const text = decoder.decode(bytes);
  if (decoder.encoding !== 'windows-1252') return text;
  return text.replace(/[\u0080-\u009f]/g, (sign) => kWindows[sign.charCodeAt(0) - 0x80] ?? sign);
}

export function plain(text: string, encoding: string): Decoded {
  return { text, encoding, warnings: [], head: 0 };
}

/** Bytes from the document's first on to the character at `index`, where they can be told. */
export function byteOffsetOf({ text, encoding, head }: Decoded, index: number): number | undefined {
  if (encoding.startsWith('utf-16')) return head + 2 * index;
  if (encoding !== 'utf-8') return undefined;
  return head + new TextEncoder().encode(text.slice(0, index)).length;
}

function byMark(path: string, bytes: Uint8Array, encoding: string, head: number): Decoded {
  const decoder = decoderFor(encoding);
  if (!decoder) {
    const message = `${path} is a text in ${encoding.toUpperCase()}, which is not read; save it as UTF-8.`;
    throw new AmbryError('Unsupported', message, { byteOffset: 0 });
  }
  const text = decoder.decode(bytes);
  return { ...plain(text, encoding), head, warnings: warningOf(text, encoding) };
}

/** Wrong bytes, which every decoder replaces, are told. */
export function warningOf(text: string, encoding: string): string[] {
  let replaced = 0;
  for (let at = text.indexOf('\uFFFD'); at >= 0; at = text.indexOf('\uFFFD', at + 1)) replaced++;
  if (replaced === 0) return [];
  return [`What is not ${encoding} in it became the sign \uFFFD, in ${replaced} places.`];
}

function decoderFor(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

/** Zero bytes in a text: some that strayed there, or UTF-16 without a mark, if its characters then make sense. */
function decodeWide(path: string, bytes: Uint8Array, sample: Uint8Array): Decoded {
  const zeros = sample.filter((byte) => byte === kZeroByte).length;
  const text = zeros > kMostZeros * sample.length ? undefined : strictly('utf-8', bytes);
  if (text !== undefined) {
    return { ...plain(text.replaceAll('\0', ' '), 'utf-8'), warnings: [kHadZeros] };
  }
  const even = sample.subarray(0, sample.length & ~1);
  const [best] = ['utf-16le', 'utf-16be']
    .map((encoding) => ({ encoding, sense: senseOf(new TextDecoder(encoding).decode(even)) }))
    .sort((a, b) => b.sense - a.sense);
  if (!best || best.sense < kSense) {
    const message = `${path} is binary, not text.`;
    throw new AmbryError('Unsupported', message, { byteOffset: sample.indexOf(kZeroByte) });
  }
  const { encoding } = best;
  const wide = new TextDecoder(encoding).decode(bytes);
  const guessed = `It does not say its encoding and was read as ${encoding}.`;
  return { ...plain(wide, encoding), warnings: [guessed, ...warningOf(wide, encoding)] };
}

/** The share of characters that texts are made of; those of Western text and East Asian punctuation, which
 *  are no letters in the other byte order, count for more. */
function senseOf(text: string): number {
  const usual = text.match(/[\p{L}\p{M}\p{N}\p{P}\p{Sc}\p{Sm}\p{Zs}\r\n\t]/gu)?.length ?? 0;
  const common = text.match(/[\r\n\t -~\u3000-\u3002\uff0c]/g)?.length ?? 0;
  const characters = [...text].length;
  return (usual + common) / (characters + common || 1) + common / (characters || 1);
}
