// A small pad for a digit. The classify page gets the drawing as a picture.

import { byId } from '../shared/dom/dom.ts';
import { mountStrokes } from '../shared/dom/strokes.ts';

/** The picture has dark ink on light paper in every theme. In the dark the style sheet turns both round. */
const paperColor = '#fffdf8';
const inkColor = '#23211c';
const penWidth = 0.075;

export interface DrawingPad {
  /** Null for an empty pad. */
  picture(): Promise<File | null>;
}

export function mountDrawing(): DrawingPad {
  const canvas = byId('drawing', HTMLCanvasElement);
  const context = canvas.getContext('2d');
  let isEmpty = true;
  const clear = (): void => {
    isEmpty = true;
    if (context !== null) {
      context.fillStyle = paperColor;
      context.fillRect(0, 0, canvas.width, canvas.height);
    }
  };
  clear();
  mountStrokes(canvas, {
    line(from, to) {
      if (context === null) {
        return;
      }
      isEmpty = false;
      context.lineCap = 'round';
      context.strokeStyle = inkColor;
      context.lineWidth = penWidth * canvas.width;
      context.beginPath();
      context.moveTo(from.x, from.y);
      context.lineTo(to.x, to.y);
      context.stroke();
    },
  });
  byId('drawing-clear', HTMLButtonElement).addEventListener('click', clear);
  return {
    async picture() {
      if (isEmpty) {
        return null;
      }
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
      return blob && new File([blob], 'drawing.png', { type: 'image/png' });
    },
  };
}
