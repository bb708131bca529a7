// The paper that digits are drawn on. It is the same in the dark, for the network sees it.

import { byId } from '../shared/dom.ts';
import type { Picture } from './state.ts';

const kPaper = '#fffdf8';
const kInk = '#23211c';
/** Of a pen, as a part of the paper's width. */
const kPen = 0.075;
const kPathBox = 100;

function penOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  if (pen === null) {
    throw new Error('This browser gives no canvas to draw on.');
  }
  return pen;
}

export class Pad {
  readonly canvas = byId('pad', HTMLCanvasElement);
  readonly #pen = penOf(this.canvas);
  /** Whether what is on it was drawn, so that the next stroke joins it. */
  #drawn = true;

  constructor() {
    this.#pen.lineCap = 'round';
    this.#pen.lineJoin = 'round';
    this.#pen.strokeStyle = kInk;
    this.clear();
  }

  clear(): void {
    this.#drawn = true;
    this.#pen.fillStyle = kPaper;
    this.#pen.fillRect(0, 0, this.canvas.width, this.canvas.height);
  }

  /** A line between two points of the canvas. */
  line(from: DOMPointReadOnly, to: DOMPointReadOnly): void {
    if (!this.#drawn) {
      this.clear();
    }
    this.#pen.lineWidth = kPen * this.canvas.width;
    this.#pen.beginPath();
    this.#pen.moveTo(from.x, from.y);
    this.#pen.lineTo(to.x, to.y);
    this.#pen.stroke();
  }

  /** Draws a path, in a box of 100 by 100, anew. */
  path(path: string): void {
    this.clear();
    this.#pen.save();
    this.#pen.scale(this.canvas.width / kPathBox, this.canvas.height / kPathBox);
    this.#pen.lineWidth = kPen * kPathBox;
    this.#pen.stroke(new Path2D(path));
    this.#pen.restore();
  }

  /** The middle of a picture, as large as it fits; a next stroke begins anew. */
  show({ pixels }: Picture): void {
    const { width, height } = pixels;
    const sheet = new OffscreenCanvas(width, height);
    sheet.getContext('2d')?.putImageData(pixels, 0, 0);
    const side = Math.min(width, height);
    const [x, y] = [(width - side) / 2, (height - side) / 2];
    this.clear();
    this.#pen.drawImage(sheet, x, y, side, side, 0, 0, this.canvas.width, this.canvas.height);
    this.#drawn = false;
  }
}
