// Decodes pictures in a browser, in every form that it supports.

import type { Pixels } from '../platform/types.ts';
import { orientationOf } from './orientation.ts';
import type { ImageInput } from './types.ts';
import { turned } from './upright.ts';

export async function pixelsOf(given: ImageInput): Promise<Pixels> {
  const bytes = given instanceof Uint8Array || given instanceof ArrayBuffer;
  const source = bytes ? new Blob([given as BlobPart]) : (given as ImageBitmapSource);
  const pixels = await decoded(source);
  const orientation = source instanceof Blob ? await orientationLeft(source) : 1;
  return turned(pixels, orientation);
}

async function decoded(source: ImageBitmapSource): Promise<Pixels> {
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

/** The orientation that the browser has not heeded. Browsers differ for PNG and WebP; all turn JPEG files. */
async function orientationLeft(file: Blob): Promise<number> {
  const probe = probes[await typeOf(file)];
  const orientation = probe ? orientationOf(new Uint8Array(await file.arrayBuffer())) : 1;
  if (!probe || orientation === 1) {
    return 1;
  }
  const { width } = await decoded(new Blob([Uint8Array.from(atob(probe), (c) => c.charCodeAt(0))]));
  return width === turnedWidth ? 1 : orientation;
}

/** Pictures of 3 × 2 pixels that are to be turned by 90°, by the letters in their heads. */
const probes: Readonly<Record<string, string>> = {
  PNG: 'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAAAAAC4HznGAAAAGmVYSWZNTQAqAAAACAABARIAAwAAAAEABgAAAAAAANZnS2kAAAAQSURBVHicY2BkYmZgYWUDAABGABZ39ch/AAAAAElFTkSuQmCC',
  WEBP: 'UklGRmYAAABXRUJQVlA4WAoAAAAIAAAAAgAAAQAAVlA4TCUAAAAvAkAAAC+gkG0EyN9wNrtHYlDmYP5Tk0NN2wZsqPMvp0b0P6YXAEVYSUYaAAAATU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAA=',
};
const turnedWidth = 2;

async function typeOf(file: Blob): Promise<string> {
  const head = new TextDecoder('latin1').decode(await file.slice(0, 12).arrayBuffer());
  return head.startsWith('\x89PNG') ? head.slice(1, 4) : head.slice(8);
}
