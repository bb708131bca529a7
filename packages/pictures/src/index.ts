// Decodes pictures in Node: PNG, JPEG and WebP files.
import { AmbryError, uprightPixels } from 'ambry';
import { decode as decodeJpeg } from 'jpeg-js';
import { PNG } from 'pngjs';

/** RGBA values, row by row, not multiplied by alpha. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint8ClampedArray;
}

/** As many as a network takes. */
const mostPixels = 2 ** 26;
const png = '89504e470d0a1a0a';
const jpeg = 'ffd8ff';

/** Decodes the bytes of a file, and turns the picture as its EXIF orientation says. Rejects with an `AmbryError` whose path is `picture`: `Unsupported` for another type of file,
 *  `LimitExceeded` for more than 2²⁶ pixels, `BadValue` for a damaged file. */
export async function decodePicture(file: Uint8Array): Promise<Picture> {
  if (!(file instanceof Uint8Array)) {
    const message = 'Must be the bytes of a file, such as await readFile(path).';
    throw new AmbryError('BadValue', message, place);
  }
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const decode = decoderOf(bytes);
  if (!decode) {
    throw new AmbryError('Unsupported', otherKind(bytes), place);
  }
  try {
    return await uprightPixels(await decode(bytes), bytes);
  } catch (error) {
    if (error instanceof AmbryError) {
      throw error;
    }
    const message = `The picture cannot be decoded: ${String(error)}`;
    throw new AmbryError('BadValue', message, { ...place, cause: error });
  }
}

const place = { path: 'picture' };

function decoderOf(bytes: Buffer): ((bytes: Buffer) => Picture | Promise<Picture>) | undefined {
  if (startsWith(bytes, png)) {
    return pngPixels;
  }
  if (startsWith(bytes, jpeg)) {
    return jpegPixels;
  }
  return isWebp(bytes) ? webpPixels : undefined;
}

/** Other kinds of pictures, by bytes in hexadecimal and where they lie. */
const otherKinds: readonly (readonly [name: string, at: number, ...starts: string[]])[] = [
  ['GIF', 0, '47494638'],
  ['BMP', 0, '424d'],
  ['TIFF', 0, '49492a00', '4d4d002a'],
  ['AVIF', 4, '6674797061766966', '6674797061766973'],
  // The brands heic, heix, heim, heis, hevc, hevx, mif1 and msf1.
  ['HEIC', 4, '66747970686569', '66747970686576', '667479706d696631', '667479706d736631'],
  ['JPEG XL', 0, 'ff0a', '0000000c4a584c20'],
  ['JPEG 2000', 0, '0000000c6a502020', 'ff4fff51'],
  ['icon', 0, '00000100'],
  ['SVG', 0, '3c737667', '3c3f786d6c'],
  ['Photoshop', 0, '38425053'],
];

function otherKind(bytes: Buffer): string {
  const isA = (at: number, starts: readonly string[]) =>
    starts.some((start) => startsWith(bytes.subarray(at), start));
  const [name] = otherKinds.find(([, at, ...starts]) => isA(at, starts)) ?? [];
  const found =
    name === undefined ? 'This is no such file.' : `This is a file of the kind ${name}.`;
  return `In Node pictures are PNG, JPEG or WebP files. ${found} Save the picture as one of these.`;
}

const startsWith = (bytes: Buffer, hex: string) => bytes.toString('hex', 0, hex.length / 2) === hex;

/** Reads the size from the header, before memory is allocated for the pixels. */
function checkPixelCount(width: number, height: number): void {
  if (width * height <= mostPixels) {
    return;
  }
  throw new AmbryError('LimitExceeded', `More than ${mostPixels} pixels.`, place);
}

function jpegPixels(bytes: Buffer): Picture {
  const limits = { maxResolutionInMP: mostPixels / 1e6, maxMemoryUsageInMB: 2048 };
  return decodeJpeg(bytes, { useTArray: true, ...limits });
}

function pngPixels(bytes: Buffer): Picture {
  if (bytes.length >= 24) {
    checkPixelCount(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
  }
  return PNG.sync.read(bytes);
}

const isWebp = (bytes: Buffer) =>
  bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';

/** Loads the decoder with the first file of this type. */
async function webpPixels(bytes: Buffer): Promise<Picture> {
  if (bytes.length >= 30) {
    checkPixelCount(...webpSize(bytes));
  }
  const webp = await import('@cwasm/webp');
  return webp.decode(bytes);
}

/** The first chunk tells the form: extended, lossless, or lossy (RFC 9649). */
function webpSize(bytes: Buffer): readonly [number, number] {
  const chunk = bytes.toString('latin1', 12, 16);
  if (chunk === 'VP8X') {
    return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  }
  if (chunk === 'VP8 ') {
    return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  }
  const sizes = bytes.readUInt32LE(21);
  return [(sizes & 0x3fff) + 1, ((sizes >>> 14) & 0x3fff) + 1];
}
