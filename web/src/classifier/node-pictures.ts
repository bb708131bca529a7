// Decodes pictures in Node: PNG, JPEG and WebP files.
import { decode } from 'jpeg-js';
import { PNG } from 'pngjs';
import { AmbryError } from '../errors.ts';
import type { Pixels } from '../runtime/types.ts';
import type { ClassifierInput } from './types.ts';

/** The core's limit. */
const mostPixels = 2 ** 26;
const png = '89504e470d0a1a0a';
const jpeg = 'ffd8ff';

export async function pixelsOf(given: ClassifierInput): Promise<Pixels> {
  const bytes = await bytesOf(given);
  if (startsWith(bytes, png)) return pngPixels(bytes);
  if (startsWith(bytes, jpeg)) {
    const limits = { maxResolutionInMP: mostPixels / 1e6, maxMemoryUsageInMB: 2048 };
    return decode(bytes, { useTArray: true, ...limits });
  }
  if (isWebp(bytes)) return webpPixels(bytes);
  throw new AmbryError('Unsupported', 'In Node pictures are PNG, JPEG or WebP files.', {
    path: 'picture',
  });
}

async function bytesOf(given: ClassifierInput): Promise<Buffer> {
  if (given instanceof Blob) return Buffer.from(await given.arrayBuffer());
  if (given instanceof ArrayBuffer) return Buffer.from(given);
  if (given instanceof Uint8Array) {
    return Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  }
  throw new AmbryError('BadValue', 'Neither numbers nor a picture.', { path: 'input' });
}

const startsWith = (bytes: Buffer, hex: string) => bytes.toString('hex', 0, hex.length / 2) === hex;

/** Reads the size from the header, before memory is allocated for the pixels. */
function checkPixelCount(width: number, height: number): void {
  if (width * height <= mostPixels) return;
  throw new AmbryError('LimitExceeded', `More than ${mostPixels} pixels.`, { path: 'picture' });
}

function pngPixels(bytes: Buffer): Pixels {
  if (bytes.length >= 24) checkPixelCount(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
  return PNG.sync.read(bytes);
}

const isWebp = (bytes: Buffer) =>
  bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';

/** Loads the decoder with the first file of this type. */
async function webpPixels(bytes: Buffer): Promise<Pixels> {
  if (bytes.length >= 30) checkPixelCount(...webpSize(bytes));
  const webp = await import('@cwasm/webp');
  return webp.decode(bytes);
}

/** The first chunk tells the form: extended, lossless, or lossy (RFC 9649). */
function webpSize(bytes: Buffer): readonly [number, number] {
  const chunk = bytes.toString('latin1', 12, 16);
  if (chunk === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  if (chunk === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  const sizes = bytes.readUInt32LE(21);
  return [(sizes & 0x3fff) + 1, ((sizes >>> 14) & 0x3fff) + 1];
}
