// Reads the pixels of pictures.

import { AmbryError } from 'ambry';
import type { Picture } from '../state/state.ts';

type PixelSource = HTMLCanvasElement | HTMLVideoElement | ImageBitmap;

export function pixelsOf(source: PixelSource, width: number, height: number): ImageData {
  const context = new OffscreenCanvas(width, height).getContext('2d');
  if (context === null) {
    throw new Error('This browser has no canvas to read pixels from.');
  }
  context.drawImage(source, 0, 0);
  return context.getImageData(0, 0, width, height);
}

/** Reads any image format that the browser supports. */
export async function readPicture(file: File): Promise<Picture> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file, { premultiplyAlpha: 'none' });
  } catch (cause) {
    const message = `${file.name} is not a picture that this browser can read.`;
    throw new AmbryError('Unsupported', message, { cause });
  }
  try {
    const pixels = pixelsOf(bitmap, bitmap.width, bitmap.height);
    return { name: file.name, from: 'file', pixels };
  } finally {
    bitmap.close();
  }
}
