// Pictures are turned as their files say.
import { describe, expect, test } from 'vitest';
import {
  exif,
  jpeg,
  orientations,
  png,
  upright,
  webp,
} from '../../../tests/web/support/turned-pictures.ts';
import { decodePicture } from '../src/index.ts';

/** The red value in the middle of each of the six fields, and how many stand in a row. */
async function seen(file: Uint8Array): Promise<readonly [number, readonly number[]]> {
  const { width, height, data } = await decodePicture(file);
  const columns = width > height ? 3 : 2;
  const scale = width / columns;
  const greys = Array.from({ length: 6 }, (_, i) => {
    const [x, y] = [i % columns, Math.floor(i / columns)];
    const [middleX, middleY] = [x, y].map((each) => Math.floor((each + 0.5) * scale));
    return data[4 * ((middleY ?? 0) * width + (middleX ?? 0))] ?? -1;
  });
  return [columns, greys];
}

describe.each(orientations)('orientation %i', (orientation) => {
  test.each([
    ['PNG', png(exif(orientation))],
    ['PNG, little-endian', png(exif(orientation, true))],
    ['WebP', webp(exif(orientation))],
    ['WebP with a mark', webp(exif(orientation), 'Exif\0\0')],
  ])('of %s', async (_, file) => {
    expect(await seen(file)).toEqual(upright[orientation]);
  });

  test('of JPEG', async () => {
    const [columns, greys] = await seen(jpeg(exif(orientation)));
    const [wantedColumns, wanted] = upright[orientation] ?? [];
    expect(columns).toBe(wantedColumns);
    for (const [i, grey] of greys.entries()) {
      expect(Math.abs(grey - (wanted?.[i] ?? -99))).toBeLessThanOrEqual(2);
    }
  });
});

describe('a file is decoded as it is stored', () => {
  const cut = (block: Buffer, length: number) => png(block.subarray(0, length));
  test.each([
    ['that has no orientation', png(Buffer.from('MM\0*\0\0\0\x08\0\0', 'latin1'))],
    ['that has the orientation 0', png(exif(0))],
    ['that has the orientation 9', png(exif(9))],
    ['whose block is cut', cut(exif(6), 24)],
    ['whose block is empty', cut(exif(6), 0)],
    ['whose directory lies outside', png(Buffer.from('MM\0*\xff\xff\xff\xff', 'latin1'))],
  ])('%s', async (_, file) => {
    expect(await seen(file)).toEqual(upright[1]);
  });
});

test.each([
  ['a photo of a phone', 'HEIC', '\0\0\0\x18ftypheic'],
  ['another', 'HEIC', '\0\0\0\x18ftypmif1'],
  ['AVIF', 'AVIF', '\0\0\0\x1cftypavif'],
  ['BMP', 'BMP', 'BM6\0\0\0'],
  ['TIFF', 'TIFF', 'II*\0'],
  ['TIFF, big-endian', 'TIFF', 'MM\0*'],
  ['JPEG XL', 'JPEG XL', '\xff\x0a'],
  ['SVG', 'SVG', '<svg xmlns='],
])('%s is refused by its name', async (_, name, head) => {
  const file = Buffer.from(head.padEnd(32, '\0'), 'latin1');
  await expect(decodePicture(file)).rejects.toMatchObject({
    code: 'Unsupported',
    message: expect.stringContaining(`This is a file of the kind ${name}.`),
  });
});
