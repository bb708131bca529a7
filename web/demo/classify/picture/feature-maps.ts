// Pictures of what a network computes: one plane for each channel, side by side. Zero is paper, positive values are green,
// and negative values are red. Each layer has its own scale.

import type { Activation } from 'ambry';

type Colour = readonly [number, number, number];

const zero: Colour = [247, 244, 236];
const positive: Colour = [18, 78, 68];
const negative: Colour = [160, 48, 24];
const gap: Colour = [190, 184, 170];

/** The first channels are drawn. */
export const maxMaps = 64;
/** A vector has channels of one value. */
const maxValues = 256;

/** A picture, row by row, with four bytes a pixel. */
export interface Drawn {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
}

interface Range {
  readonly low: number;
  readonly high: number;
}

/** The smallest and the largest finite value; zeros if there is none. */
export function rangeOf(values: Float32Array): Range {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (!Number.isFinite(value)) {
      continue;
    }
    if (value < low) {
      low = value;
    }
    if (value > high) {
      high = value;
    }
  }
  return low <= high ? { low, high } : { low: 0, high: 0 };
}

/** `value` from -1 to 1 */
function colourOf(value: number): Colour {
  const to = value < 0 ? negative : positive;
  const share = Math.min(1, Math.abs(value) || 0);
  const mix = (at: 0 | 1 | 2): number => zero[at] + share * (to[at] - zero[at]);
  return [mix(0), mix(1), mix(2)];
}

function paint({ pixels, width }: Drawn, x: number, y: number, colour: Colour): void {
  pixels.set([...colour, 255], 4 * (y * width + x));
}

function blank(width: number, height: number, colour: Colour): Drawn {
  const drawn = { width, height, pixels: new Uint8ClampedArray(4 * width * height) };
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      paint(drawn, x, y, colour);
    }
  }
  return drawn;
}

const isVector = ({ shape: [, height, width] }: Activation): boolean => height * width === 1;

/** How many channels are drawn. */
export const drawnOf = (activation: Activation): number =>
  Math.min(activation.channels, isVector(activation) ? maxValues : maxMaps);

/** How many planes are in a row. A vector has planes of one value, so that more of them fit. */
export function columnsOf(activation: Activation): number {
  const most = isVector(activation) ? 32 : activation.channels > 32 ? 16 : 8;
  return Math.max(1, Math.min(most, activation.channels));
}

/** Null where the layer is too large to be kept. */
export function mapsOf(activation: Activation): Drawn | null {
  const { shape, values } = activation;
  const [, height, width] = shape;
  const count = drawnOf(activation);
  const line = isVector(activation) ? 0 : 1;
  if (count === 0) {
    return null;
  }
  const columns = columnsOf(activation);
  const rows = Math.ceil(count / columns);
  const drawn = blank(columns * (width + line) - line, rows * (height + line) - line, gap);
  const { low, high } = rangeOf(values);
  const scale = Math.max(Math.abs(low), Math.abs(high)) || 1;
  for (let channel = 0; channel < count; channel += 1) {
    const left = (channel % columns) * (width + line);
    const top = Math.floor(channel / columns) * (height + line);
    for (let at = 0; at < width * height; at += 1) {
      const value = (values[channel * width * height + at] ?? 0) / scale;
      paint(drawn, left + (at % width), top + Math.floor(at / width), colourOf(value));
    }
  }
  return drawn;
}

/** The input as a picture: of three channels in colours, of others the first in greys. */
export function inputPicture({ shape, channels, values }: Activation): Drawn | null {
  const [all, height, width] = shape;
  if (channels === 0) {
    return null;
  }
  const plane = width * height;
  const shown = all === 3 && channels === 3 ? [0, 1, 2] : [0, 0, 0];
  const { low, high } = rangeOf(values);
  const drawn = blank(width, height, zero);
  for (let at = 0; at < plane; at += 1) {
    const levels = shown.map(
      (channel) => (255 * ((values[channel * plane + at] ?? low) - low)) / (high - low || 1),
    );
    const [red = 0, green = 0, blue = 0] = levels;
    paint(drawn, at % width, Math.floor(at / width), [red, green, blue]);
  }
  return drawn;
}
