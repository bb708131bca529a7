// How a picture is to be turned: the EXIF orientation in JPEG, PNG and WebP files (CIPA DC-008; RFC 9649).

/** From 1, as it is stored, to 8. */
export type Orientation = number;

const upright = 1;
const exifMark = [0x45, 0x78, 0x69, 0x66, 0, 0];
const orientationTag = 0x0112;
/** A directory has a few dozen entries. */
const mostEntries = 1000;

/** The orientation that the file states; 1 where it states none or a damaged one. */
export function orientationOf(file: Uint8Array): Orientation {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const block = exifIn(view);
  return block ? inExif(block) : upright;
}

function exifIn(view: DataView): DataView | undefined {
  if (has(view, 0, [0xff, 0xd8, 0xff])) {
    return inJpeg(view);
  }
  if (has(view, 0, [0x89, 0x50, 0x4e, 0x47])) {
    return inChunks(view, 8, 12, 'eXIf', 'IDAT');
  }
  return isWebp(view) ? inChunks(view, 12, 8, 'EXIF') : undefined;
}

export const isWebp = (view: DataView) =>
  view.byteLength >= 16 && nameAt(view, 0) === 'RIFF' && nameAt(view, 8) === 'WEBP';

/** Segments of a JPEG file: a marker of two bytes, then the length, which counts itself. */
function inJpeg(view: DataView): DataView | undefined {
  const startOfScan = 0xda;
  const app1 = 0xe1;
  for (let at = 2; at + 4 <= view.byteLength && view.getUint8(at) === 0xff; ) {
    const marker = view.getUint8(at + 1);
    // A marker may have any number of 0xff before it.
    if (marker === 0xff) {
      at++;
      continue;
    }
    const length = view.getUint16(at + 2);
    if (marker === startOfScan || length < 2) {
      return undefined;
    }
    if (marker === app1 && has(view, at + 4, exifMark)) {
      return part(view, at + 4, length - 2);
    }
    at += 2 + length;
  }
  return undefined;
}

/** Chunks of PNG (big-endian length, name, data, CRC) and of WebP (name, little-endian length, padded data). */
function inChunks(
  view: DataView,
  start: number,
  overhead: number,
  wanted: string,
  last?: string,
): DataView | undefined {
  const isPng = last !== undefined;
  for (let at = start; at + 8 <= view.byteLength; ) {
    const length = view.getUint32(isPng ? at : at + 4, !isPng);
    const name = nameAt(view, isPng ? at + 4 : at);
    if (name === wanted) {
      return part(view, at + 8, length);
    }
    if (name === last) {
      return undefined;
    }
    at += overhead + length + (isPng ? 0 : length & 1);
  }
  return undefined;
}

/** An EXIF block is a TIFF file, with a mark before it in JPEG and in some WebP files. */
function inExif(block: DataView): Orientation {
  const start = has(block, 0, exifMark) ? exifMark.length : 0;
  const tiff = part(block, start, block.byteLength - start);
  if (!tiff || tiff.byteLength < 8) {
    return upright;
  }
  const isLittle = nameAt(tiff, 0).startsWith('II');
  const directory = tiff.getUint32(4, isLittle);
  if (directory + 2 > tiff.byteLength) {
    return upright;
  }
  const count = Math.min(tiff.getUint16(directory, isLittle), mostEntries);
  for (let i = 0; i < count; i++) {
    const entry = directory + 2 + 12 * i;
    if (entry + 12 > tiff.byteLength) {
      return upright;
    }
    if (tiff.getUint16(entry, isLittle) === orientationTag) {
      const value = tiff.getUint16(entry + 8, isLittle);
      return value >= 1 && value <= 8 ? value : upright;
    }
  }
  return upright;
}

/** What of these bytes the file has. */
function part(view: DataView, at: number, length: number): DataView | undefined {
  const size = Math.min(length, view.byteLength - at);
  return size > 0 ? new DataView(view.buffer, view.byteOffset + at, size) : undefined;
}

const has = (view: DataView, at: number, bytes: readonly number[]) =>
  at + bytes.length <= view.byteLength && bytes.every((byte, i) => view.getUint8(at + i) === byte);

const nameAt = (view: DataView, at: number) =>
  String.fromCharCode(...[0, 1, 2, 3].map((i) => view.getUint8(at + i)));
