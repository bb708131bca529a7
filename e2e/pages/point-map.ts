// A map of many points. What it draws is on a canvas, so tests look at the colours of its pixels.

import type { Locator, Page } from '@playwright/test';
import { download } from './files.ts';

export class PointMap {
  readonly frame: Locator;
  readonly card: Locator;
  readonly canvas: Locator;
  readonly groups: Locator;
  readonly #page: Page;
  readonly #box: Locator;

  /** `label` is the accessible name of the map. */
  constructor(page: Page, label: string) {
    this.#page = page;
    this.frame = page.getByRole('group', { name: new RegExp(`^${label}:`) });
    this.canvas = this.frame.getByRole('img', { name: label });
    this.card = this.frame.locator('.map-card.shown');
    this.groups = page.getByRole('list', { name: 'Groups of the map' }).getByRole('button');
    this.#box = page.locator('.map-box').filter({ has: this.frame });
  }

  button(
    name: 'Zoom in' | 'Zoom out' | 'Show all of the map' | 'Save picture of the map',
  ): Locator {
    return this.#box.getByRole('button', { name });
  }

  savePicture(): Promise<Buffer> {
    return download(this.#page, () => this.button('Save picture of the map').click());
  }

  /** The number of pixels that are not empty. */
  inkedPixels(): Promise<number> {
    return this.canvas.evaluate((canvas: HTMLCanvasElement) => {
      const { width, height } = canvas;
      const copy = new OffscreenCanvas(width, height);
      const context = copy.getContext('2d', { willReadFrequently: true });
      context?.drawImage(canvas, 0, 0);
      const pixels = context?.getImageData(0, 0, width, height).data ?? [];
      let count = 0;
      for (let i = 3; i < pixels.length; i += 4) {
        count += Number((pixels[i] ?? 0) > 0);
      }
      return count;
    });
  }

  /** The number of pixels in the colour of a variable of the style sheet, such as `--map-hit`. */
  async pixelsOf(variable: string): Promise<number> {
    return (await this.#find(variable)).count;
  }

  /** Clicks where the first pixel of this colour is. */
  async clickOn(variable: string): Promise<void> {
    const { x, y } = await this.#find(variable);
    await this.canvas.click({ position: { x, y } });
  }

  /** Points with the mouse where the first pixel of this colour is. */
  async pointAt(variable: string): Promise<void> {
    const { x, y } = await this.#find(variable);
    await this.canvas.hover({ position: { x, y } });
  }

  async tapOn(variable: string): Promise<void> {
    const { x, y } = await this.#find(variable);
    await this.canvas.tap({ position: { x, y } });
  }

  /** The middle of the map on the screen. */
  async middle(): Promise<{ x: number; y: number }> {
    const { x = 0, y = 0, width = 0, height = 0 } = (await this.canvas.boundingBox()) ?? {};
    return { x: x + width / 2, y: y + height / 2 };
  }

  /** Counts the pixels of a colour. `x` and `y` are of the first of them, in the pixels of the page. */
  #find(variable: string): Promise<{ count: number; x: number; y: number }> {
    return this.canvas.evaluate((canvas: HTMLCanvasElement, name) => {
      const { width, height, clientWidth } = canvas;
      const colour = getComputedStyle(canvas).getPropertyValue(name).trim();
      const [red, green, blue] = [1, 3, 5].map((at) =>
        Number.parseInt(colour.slice(at, at + 2), 16),
      );
      const copy = new OffscreenCanvas(width, height);
      const context = copy.getContext('2d', { willReadFrequently: true });
      context?.drawImage(canvas, 0, 0);
      const pixels = context?.getImageData(0, 0, width, height).data ?? [];
      const found: number[] = [];
      for (let i = 0; i < pixels.length; i += 4) {
        const same = pixels[i] === red && pixels[i + 1] === green && pixels[i + 2] === blue;
        if (same && pixels[i + 3] === 255) {
          found.push(i / 4);
        }
      }
      const [first = 0] = found;
      const scale = clientWidth / width;
      return {
        count: found.length,
        x: (first % width) * scale,
        y: Math.floor(first / width) * scale,
      };
    }, variable);
  }
}
