// Pictures as pixels in Node: PNG and JPEG files.
import { decode } from 'jpeg-js';
import { PNG } from 'pngjs';
import { AmbryError } from '../errors.ts';
import type { ClassifierInput, Pixels } from '../types.ts';

/** As the core has it. */
const kMostPixels = 2 ** 26;
const kPng = '89504e470d0a1a0a';
const kJpeg = 'ffd8ff';

export async function pixelsOf(given: ClassifierInput): Promise<Pixels> {
  const bytes = await bytesOf(given);
  if (startsWith(bytes, kPng)) return pngPixels(bytes);
  if (startsWith(bytes, kJpeg)) {
    const limits = { maxResolutionInMP: kMostPixels / 1e6, maxMemoryUsageInMB: 2048 };
    return decode(bytes, { useTArray: true, ...limits });
  }
  throw new AmbryError('Unsupported', 'In Node pictures are PNG or JPEG files.', {
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

/** The header says the size, before anything is reserved for it. */
function pngPixels(bytes: Buffer): Pixels {
  if (bytes.length >= 24 && bytes.readUInt32BE(16) * bytes.readUInt32BE(20) > kMostPixels) {
    const message = `More than ${kMostPixels} pixels.`;
    throw new AmbryError('LimitExceeded', message, { path: 'picture' });
  }
  return PNG.sync.read(bytes);
}
