// Decodes pictures in a browser, in every form that it supports.

import type { Pixels } from '../platform/types.ts';
import type { ClassifierInput } from './types.ts';

export async function pixelsOf(given: ClassifierInput): Promise<Pixels> {
  const bytes = given instanceof Uint8Array || given instanceof ArrayBuffer;
  const source = bytes ? new Blob([given as BlobPart]) : (given as ImageBitmapSource);
  const bitmap = await createImageBitmap(source, { premultiplyAlpha: 'none' });
  try {
    const { width, height } = bitmap;
    const canvas = new OffscreenCanvas(width, height).getContext('2d');
    if (!canvas) {
      throw new Error('this browser gives no canvas to read pixels from');
    }
    canvas.drawImage(bitmap, 0, 0);
    return canvas.getImageData(0, 0, width, height);
  } finally {
    bitmap.close();
  }
}
