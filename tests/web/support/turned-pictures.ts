// Pictures whose files say that they are to be turned: EXIF blocks put into JPEG, PNG and WebP files.
import { crc32 } from 'node:zlib';
import { encode } from 'jpeg-js';
import { PNG } from 'pngjs';

export const orientations = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** A picture of 3 × 2 pixels with six greys, from top left on, which every format here keeps. */
export const greys = [0, 40, 80, 120, 160, 200];

/** The greys as they are to be seen, row by row, and the width, by orientation (CIPA DC-008, table 6). */
export const upright: Readonly<Record<number, readonly [width: number, greys: readonly number[]]>> =
  {
    1: [3, [0, 40, 80, 120, 160, 200]],
    2: [3, [80, 40, 0, 200, 160, 120]],
    3: [3, [200, 160, 120, 80, 40, 0]],
    4: [3, [120, 160, 200, 0, 40, 80]],
    5: [2, [0, 120, 40, 160, 80, 200]],
    6: [2, [120, 0, 160, 40, 200, 80]],
    7: [2, [200, 80, 160, 40, 120, 0]],
    8: [2, [80, 200, 40, 160, 0, 120]],
  };

/** A TIFF file with one entry besides the orientation. */
export function exif(orientation: number, isLittle = false): Buffer {
  const block = Buffer.alloc(38);
  const view = new DataView(block.buffer, block.byteOffset);
  block.write(isLittle ? 'II' : 'MM', 'latin1');
  view.setUint16(2, 42, isLittle);
  view.setUint32(4, 8, isLittle);
  view.setUint16(8, 2, isLittle);
  // A resolution unit.
  for (const [at, tag, value] of [
    [10, 0x0128, 2],
    [22, 0x0112, orientation],
  ] as const) {
    view.setUint16(at, tag, isLittle);
    view.setUint16(at + 2, 3, isLittle);
    view.setUint32(at + 4, 1, isLittle);
    view.setUint16(at + 8, value, isLittle);
  }
  return block;
}

export function jpeg(block: Buffer): Buffer {
  // Blocks of one grey each, which JPEG keeps.
  const scale = 16;
  const [width, height] = [3 * scale, 2 * scale];
  const data = Buffer.alloc(4 * width * height, 255);
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    const grey = greys[Math.floor(y / scale) * 3 + Math.floor(x / scale)] ?? 0;
    data.fill(grey, 4 * i, 4 * i + 3);
  }
  const file = encode({ width, height, data }, 100).data;
  const segment = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), block]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(segment.length + 2, 2);
  // After the segment of JFIF, as cameras and programs write it.
  const at = 2 + 2 + file.readUInt16BE(4);
  return Buffer.concat([file.subarray(0, at), head, segment, file.subarray(at)]);
}

export function png(block: Buffer): Buffer {
  const made = new PNG({ width: 3, height: 2 });
  for (const [i, grey] of greys.entries()) {
    made.data.set([grey, grey, grey, 255], 4 * i);
  }
  const file = PNG.sync.write(made);
  const at = file.indexOf('IDAT') - 4;
  return Buffer.concat([file.subarray(0, at), pngChunk('eXIf', block), file.subarray(at)]);
}

function pngChunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** The lossless WebP image of 3 × 2 pixels, whose red values are the greys. */
const lossless = 'VlA4TCUAAAAvAkAAAC+gkG0EyN9wNrtHYlDmYP5Tk0NN2wZsqPMvp0b0P6YXAA==';

export function webp(block: Buffer, mark = ''): Buffer {
  const features = Buffer.from([8, 0, 0, 0, 2, 0, 0, 1, 0, 0]);
  const data = Buffer.concat([Buffer.from(mark, 'latin1'), block]);
  const chunks = [
    webpChunk('VP8X', features),
    Buffer.from(lossless, 'base64'),
    webpChunk('EXIF', data),
  ];
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks]);
  return webpChunk('RIFF', body);
}

function webpChunk(name: string, data: Buffer): Buffer {
  const head = Buffer.from(`${name}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length & 1)]);
}
