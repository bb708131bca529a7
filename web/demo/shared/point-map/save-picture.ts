// Saves what a map shows as a picture, with its background.

import { saveFile } from '../files/save-file.ts';
import type { MapColours } from './map-colours.ts';
import { Painter } from './painter.ts';
import type { MapView, PointMapData } from './points.ts';

/** Pixels of the picture per pixel of the page. */
const ratio = 2;

export async function savePicture(
  data: PointMapData,
  view: MapView,
  colours: MapColours,
  name: string,
): Promise<void> {
  const canvas = document.createElement('canvas');
  canvas.width = view.size.width * ratio;
  canvas.height = view.size.height * ratio;
  const context = canvas.getContext('2d');
  if (context === null) {
    return;
  }
  new Painter().paint(context, data, { ...view, current: null }, colours, ratio);
  context.globalCompositeOperation = 'destination-over';
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = colours.sheet;
  context.fillRect(0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (blob !== null) {
    saveFile(blob, name);
  }
}
