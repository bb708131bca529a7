// The canvas for drawing digits. Its pixels are the same in every theme, as the network gets them; in the dark one they are shown
// the other way round (classify.css).

import { byId } from '../../shared/dom/dom.ts';
import type { Picture } from '../state/state.ts';
import { drawingSide, maxGrey } from './drawing-code.ts';

const paperColor = '#fffdf8';
const inkColor = '#23211c';
/** The pen's width as a share of the canvas's width. */
const penWidth = 0.075;
const pathBoxSize = 100;

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) {
    throw new Error('This browser has no canvas to draw on.');
  }
  return context;
}

export class Pad {
  readonly canvas = byId('pad', HTMLCanvasElement);
  readonly #context = contextOf(this.canvas);
  /** True if the canvas shows a drawing, to which a stroke is added. A stroke replaces any other picture. */
  get #isDrawing(): boolean {
    return this.canvas.classList.contains('drawing');
  }
  set #isDrawing(isDrawing: boolean) {
    this.canvas.classList.toggle('drawing', isDrawing);
  }

  constructor() {
    this.#context.lineCap = 'round';
    this.#context.lineJoin = 'round';
    this.#context.strokeStyle = inkColor;
    this.clear();
  }

  clear(): void {
    this.#isDrawing = true;
    this.#context.fillStyle = paperColor;
    this.#context.fillRect(0, 0, this.canvas.width, this.canvas.height);
  }

  /** Draws a line between two points of the canvas. */
  line(from: DOMPointReadOnly, to: DOMPointReadOnly): void {
    if (!this.#isDrawing) {
      this.clear();
    }
    this.#context.lineWidth = penWidth * this.canvas.width;
    this.#context.beginPath();
    this.#context.moveTo(from.x, from.y);
    this.#context.lineTo(to.x, to.y);
    this.#context.stroke();
  }

  /** Clears the canvas and draws an SVG path, given in a box of 100 by 100. */
  path(path: string): void {
    this.clear();
    this.#context.save();
    this.#context.scale(this.canvas.width / pathBoxSize, this.canvas.height / pathBoxSize);
    this.#context.lineWidth = penWidth * pathBoxSize;
    this.#context.stroke(new Path2D(path));
    this.#context.restore();
  }

  /** Draws the greys of a link, which further strokes go on with. */
  greys(greys: Uint8Array): void {
    this.clear();
    const { width, height } = this.canvas;
    this.#context.fillStyle = inkColor;
    greys.forEach((grey, at) => {
      const [x, y] = [at % drawingSide, Math.floor(at / drawingSide)];
      this.#context.globalAlpha = grey / maxGrey;
      this.#context.fillRect(
        (x * width) / drawingSide,
        (y * height) / drawingSide,
        width / drawingSide,
        height / drawingSide,
      );
    });
    this.#context.globalAlpha = 1;
  }

  /** Shows the largest square from the middle of a picture. */
  show({ pixels }: Picture): void {
    const { width, height } = pixels;
    const buffer = new OffscreenCanvas(width, height);
    buffer.getContext('2d')?.putImageData(pixels, 0, 0);
    const side = Math.min(width, height);
    const [x, y] = [(width - side) / 2, (height - side) / 2];
    this.clear();
    this.#context.drawImage(buffer, x, y, side, side, 0, 0, this.canvas.width, this.canvas.height);
    this.#isDrawing = false;
  }
}
