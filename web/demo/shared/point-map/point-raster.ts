// Draws many equal dots into the pixels of a canvas. It writes the pixels itself: 20,000 calls that draw a dot each take
// several times as long where no graphics card helps.

import type { Camera, Size } from './camera.ts';

/** Red, green and blue, and no alpha, in the order of a pixel's bytes: the lowest first. */
export type PackedColour = number;

/** A dot as the pixels around its middle. */
interface Dot {
  readonly reach: number;
  /** Places relative to the middle, in a picture of the raster's width. */
  readonly offsets: Int32Array;
  /** From 1 to 255: the share of the pixel that the dot covers. */
  readonly alphas: Uint8Array;
}

/** Sub-pixels across, for smooth edges. */
const parts = 4;

function coverageAt(x: number, y: number, radius: number): number {
  let inside = 0;
  for (let i = 0; i < parts * parts; i += 1) {
    const u = x + ((i % parts) + 0.5) / parts - 0.5;
    const v = y + (Math.floor(i / parts) + 0.5) / parts - 0.5;
    inside += Number(u * u + v * v <= radius * radius);
  }
  return Math.round((255 * inside) / (parts * parts));
}

function dotOf(radius: number, width: number): Dot {
  const reach = Math.ceil(radius);
  const offsets: number[] = [];
  const alphas: number[] = [];
  for (let y = -reach; y <= reach; y += 1) {
    for (let x = -reach; x <= reach; x += 1) {
      const alpha = coverageAt(x, y, radius);
      if (alpha > 0) {
        offsets.push(y * width + x);
        alphas.push(alpha);
      }
    }
  }
  return { reach, offsets: Int32Array.from(offsets), alphas: Uint8Array.from(alphas) };
}

interface RasterInput {
  /** x and y of each dot, in the units of the map. */
  readonly positions: Float32Array;
  /** The colour of each dot is that of its member. */
  readonly members: Uint32Array;
  readonly colours: readonly PackedColour[];
  readonly camera: Camera;
  readonly size: Size;
  /** Device pixels per pixel. */
  readonly ratio: number;
  /** In pixels. */
  readonly radius: number;
}

export class PointRaster {
  #pixels = new Uint32Array();
  #image = new ImageData(1, 1);
  #width = 0;

  /** Replaces the pixels of the canvas. */
  paint(context: CanvasRenderingContext2D, input: RasterInput): void {
    const { size, ratio, radius } = input;
    // A margin takes the dots that reach over the edge, so that the loop need not look for it.
    const margin = 2 * Math.ceil(radius * ratio) + 2;
    const width = Math.round(size.width * ratio) + 2 * margin;
    const height = Math.round(size.height * ratio) + 2 * margin;
    this.#clear(width, height);
    this.#draw(input, margin, width, height);
    context.putImageData(this.#image, -margin, -margin);
  }

  #clear(width: number, height: number): void {
    if (this.#width === width && this.#pixels.length === width * height) {
      this.#pixels.fill(0);
      return;
    }
    this.#width = width;
    this.#image = new ImageData(width, height);
    this.#pixels = new Uint32Array(this.#image.data.buffer);
  }

  #draw(input: RasterInput, margin: number, width: number, height: number): void {
    const { positions, members, colours, camera, ratio, radius } = input;
    const { reach, offsets, alphas } = dotOf(radius * ratio, width);
    const pixels = this.#pixels;
    const scale = camera.scale * ratio;
    const [left, top] = [camera.x * ratio + margin, camera.y * ratio + margin];
    for (let i = 0; i < members.length; i += 1) {
      const x = Math.round(left + (positions[2 * i] as number) * scale);
      const y = Math.round(top - (positions[2 * i + 1] as number) * scale);
      if (x < reach || y < reach || x >= width - reach || y >= height - reach) {
        continue;
      }
      const colour = colours[(members[i] as number) % colours.length] as number;
      const middle = y * width + x;
      for (let k = 0; k < offsets.length; k += 1) {
        const at = middle + (offsets[k] as number);
        const alpha = alphas[k] as number;
        // The edge of a dot does not cover the inside of another.
        if ((pixels[at] as number) >>> 24 <= alpha) {
          pixels[at] = ((alpha << 24) | colour) >>> 0;
        }
      }
    }
  }
}
