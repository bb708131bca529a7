// Pictures as the pixels that a network is given.

import type { Picture } from './state.ts';

/** What a canvas can draw and of which it knows the size. */
type Drawn = HTMLCanvasElement | HTMLVideoElement | ImageBitmap;

export function pixelsOf(source: Drawn, width: number, height: number): ImageData {
  const pen = new OffscreenCanvas(width, height).getContext('2d');
  if (pen === null) {
    throw new Error('This browser gives no canvas to read pixels from.');
  }
  pen.drawImage(source, 0, 0);
  return pen.getImageData(0, 0, width, height);
}

/** Whatever the browser can show. */
export async function readPicture(file: File): Promise<Picture> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file, { premultiplyAlpha: 'none' });
  } catch (cause) {
    throw new Error(`${file.name} is no picture that this browser can show.`, { cause });
  }
  try {
    const pixels = pixelsOf(bitmap, bitmap.width, bitmap.height);
    return { name: file.name, from: 'file', pixels };
  } finally {
    bitmap.close();
  }
}
