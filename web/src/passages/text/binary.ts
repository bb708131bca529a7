// Rejects files that are not text. The error names the kind of file if its first bytes tell.
import { AmbryError } from '../../base/errors.ts';

interface BinaryKind {
  readonly kind: string;
  /** What the user can do. */
  readonly advice?: string;
}

const exportIt = 'Export the document as text, HTML or PDF.';
const decompressIt = 'Decompress it first.';

/** The first bytes of binary files, in Latin-1. A text may begin with a signature of letters only, so these count
 *  only if there are zero bytes nearby. */
const signatures: readonly (readonly [signature: string, kind: BinaryKind])[] = [
  ['%PDF-', { kind: 'a PDF', advice: 'Rename it to end in .pdf.' }],
  ['PK\x03\x04', { kind: 'a ZIP archive or an office document', advice: exportIt }],
  ['\xd0\xcf\x11\xe0', { kind: 'an old office document', advice: exportIt }],
  ['\x89PNG', { kind: 'a PNG image' }],
  ['\xff\xd8\xff', { kind: 'a JPEG image' }],
  ['GIF8', { kind: 'a GIF image' }],
  ['RIFF', { kind: 'an image, sound or video (RIFF)' }],
  ['\x1f\x8b', { kind: 'compressed with gzip', advice: decompressIt }],
  ['7z\xbc\xaf', { kind: 'a 7z archive', advice: decompressIt }],
  ['BZh91AY&SY', { kind: 'compressed with bzip2', advice: decompressIt }],
  ['\xfd7zXZ', { kind: 'compressed with xz', advice: decompressIt }],
  ['\x28\xb5\x2f\xfd', { kind: 'compressed with zstd', advice: decompressIt }],
  ['\x7fELF', { kind: 'a program' }],
  ['MZ\x90', { kind: 'a program' }],
  ['\0asm', { kind: 'a WebAssembly module' }],
  ['SQLite format 3\0', { kind: 'an SQLite database' }],
  ['ID3', { kind: 'a sound (MP3)' }],
  ['OggS', { kind: 'a sound or video (Ogg)' }],
  ['{\\rtf', { kind: 'an RTF document', advice: exportIt }],
  ['EMBD', { kind: 'a model' }],
  ['AMBRYIDX', { kind: 'a search index' }],
];
/** Matches the signatures that no text begins with. */
const certainSignature = /[^ -z]|^%PDF-|^\{\\rtf|^BZh9/;
const sampleBytes = 4096;
/** A text has at most this share of control characters. */
const maxControlShare = 0.02;

export function rejectBinary(path: string, bytes: Uint8Array): void {
  const head = bytes.subarray(0, sampleBytes);
  const hasZeros = head.includes(0);
  const [, found] =
    signatures.find(
      ([signature]) =>
        startsWith(head, signature) && (hasZeros || certainSignature.test(signature)),
    ) ?? [];
  if (found) {
    const { kind, advice } = found;
    const message = `${path} is ${kind}, not plain text.`;
    throw notText(advice === undefined ? message : `${message} ${advice}`, 0);
  }
  // UTF-16 has zero bytes too, and any byte may be half of one of its characters.
  if (hasZeros) {
    return;
  }
  const controls = head.filter(isControl).length;
  if (controls > maxControlShare * head.length) {
    throw binaryFile(path, head.findIndex(isControl));
  }
}

export function binaryFile(path: string, byteOffset: number): AmbryError {
  return notText(`${path} is binary, not text.`, byteOffset);
}

function isControl(byte: number): boolean {
  return byte < 9 || (byte > 13 && byte < 32 && byte !== 27);
}

function startsWith(bytes: Uint8Array, signature: string): boolean {
  return (
    bytes.length >= signature.length &&
    Array.from(signature).every((letter, i) => bytes[i] === letter.charCodeAt(0))
  );
}

function notText(message: string, byteOffset: number): AmbryError {
  return new AmbryError('Unsupported', message, { byteOffset });
}
