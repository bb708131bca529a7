// Turns and mirrors the pixels of a picture, as the orientation of its file says.
import { refuseWrong } from '../base/call.ts';
import { isSomeObject, type Kind } from '../base/kinds.ts';
import type { Pixels } from '../platform/types.ts';
import { checkedPixels } from './checked-pixels.ts';
import { type Orientation, orientationOf } from './orientation.ts';

type Place = (x: number, y: number, width: number, height: number) => readonly [number, number];

/** For each orientation from 2 on, the stored pixel that comes to a place of the upright picture. `width` and `height` are
 *  those of the stored picture. */
const places: readonly Place[] = [
  (x, y, width) => [width - 1 - x, y],
  (x, y, width, height) => [width - 1 - x, height - 1 - y],
  (x, y, _, height) => [x, height - 1 - y],
  (x, y) => [y, x],
  (x, y, _, height) => [y, height - 1 - x],
  (x, y, width, height) => [width - 1 - y, height - 1 - x],
  (x, y, width) => [width - 1 - y, x],
];
/** From here on width and height change places. */
const firstQuarterTurn = 5;

const decoded: Kind = { words: 'pixels: {width, height, data}', is: isSomeObject };
const fileBytes: Kind = {
  words: 'the bytes of a file (a Uint8Array)',
  is: (value) => value instanceof Uint8Array,
};

/** The pixels of the decoded file, turned as it says. */
export async function uprightPixels(pixels: Pixels, file: Uint8Array): Promise<Pixels> {
  await refuseWrong([pixels, file], { pixels: decoded, file: fileBytes });
  return turned(checkedPixels(pixels), orientationOf(file));
}

export function turned(stored: Pixels, orientation: Orientation): Pixels {
  const place = places[orientation - 2];
  if (!place) {
    return stored;
  }
  const isQuarterTurn = orientation >= firstQuarterTurn;
  const [width, height] = isQuarterTurn
    ? [stored.height, stored.width]
    : [stored.width, stored.height];
  const from = pixelWords(stored.data);
  const to = new Uint32Array(from.length);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const [fromX, fromY] = place(x, y, stored.width, stored.height);
      to[at] = from[fromY * stored.width + fromX] ?? 0;
    }
  }
  return { width, height, data: new Uint8ClampedArray(to.buffer) };
}

/** The four bytes of each pixel as one number. Its address must be a multiple of four. */
function pixelWords(data: Pixels['data']): Uint32Array {
  const bytes = data.byteOffset % 4 === 0 ? data : data.slice();
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
}
