// Files that are no text, refused by what they are.
import { AmbryError } from '../../errors.ts';

/** What files of these kinds begin with, in Latin-1. Signs of letters alone might be words of a text, unless
 *  there are zero bytes near. */
const kSigns: readonly (readonly [sign: string, kind: string])[] = [
  ['%PDF-', 'a PDF; its name should end in .pdf'],
  ['PK\x03\x04', 'a ZIP archive, as documents of word processors are'],
  ['\xd0\xcf\x11\xe0', 'a document of an old word processor'],
  ['\x89PNG', 'a PNG picture'],
  ['\xff\xd8\xff', 'a JPEG picture'],
  ['GIF8', 'a GIF picture'],
  ['RIFF', 'a picture, sound or film (RIFF)'],
  ['\x1f\x8b', 'packed by gzip'],
  ['7z\xbc\xaf', 'a 7z archive'],
  ['BZh91AY&SY', 'packed by bzip2'],
  ['\xfd7zXZ', 'packed by xz'],
  ['\x28\xb5\x2f\xfd', 'packed by zstd'],
  ['\x7fELF', 'a program'],
  ['MZ\x90', 'a program'],
  ['\0asm', 'a WebAssembly module'],
  ['SQLite format 3\0', 'an SQLite database'],
  ['ID3', 'a sound (MP3)'],
  ['OggS', 'a sound or film (Ogg)'],
  ['{\\rtf', 'a text in RTF'],
  ['EMBD', 'a model'],
  ['AMBRYIDX', 'a search index'],
];
const kNoWords = /[^ -z]|^%PDF-|^\{\\rtf|^BZh9/;
const kSample = 4096;
/** Control characters that texts have none of. */
const kMostControls = 0.02;

export function refuseBinary(path: string, bytes: Uint8Array): void {
  const head = bytes.subarray(0, kSample);
  const hasZeros = head.includes(0);
  const known = kSigns.find(
    ([sign]) => startsWith(head, sign) && (hasZeros || kNoWords.test(sign)),
  );
  if (known) throw notText(`${path} is ${known[1]}, not plain text.`, 0);
  // Any byte may be half of a character of UTF-16, which has zero bytes, too.
  if (hasZeros) return;
  const controls = head.filter(isControl).length;
  if (controls > kMostControls * head.length) {
    throw notText(`${path} is binary, not text.`, head.findIndex(isControl));
  }
}

function isControl(byte: number): boolean {
  return byte < 9 || (byte > 13 && byte < 32 && byte !== 27);
}

function startsWith(bytes: Uint8Array, sign: string): boolean {
  return (
    bytes.length >= sign.length &&
    Array.from(sign).every((letter, i) => bytes[i] === letter.charCodeAt(0))
  );
}

function notText(message: string, byteOffset: number): AmbryError {
  return new AmbryError('Unsupported', message, { byteOffset });
}
