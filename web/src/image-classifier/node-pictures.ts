// Decodes pictures in Node: PNG, JPEG and WebP files, by the package ambry-pictures.
import { AmbryError } from '../base/errors.ts';
import type { Pixels } from '../platform/types.ts';
import { importCompanion } from '../runtime/node-companion.ts';
import type { ImageInput } from './types.ts';

const companion = 'ambry-pictures';

interface Pictures {
  decodePicture(bytes: Uint8Array): Promise<Pixels>;
}

export async function pixelsOf(given: ImageInput): Promise<Pixels> {
  const bytes = await bytesOf(given);
  const pictures = await importCompanion<Pictures>(companion);
  if (pictures) {
    return pictures.decodePicture(bytes);
  }
  const message = `Node cannot decode pictures by itself. Install the package that does: npm install ${companion}. Or pass the pixels: {width, height, data}.`;
  throw new AmbryError('Unsupported', message, { path: 'picture' });
}

async function bytesOf(given: ImageInput): Promise<Uint8Array> {
  if (given instanceof Blob) {
    return new Uint8Array(await given.arrayBuffer());
  }
  if (given instanceof ArrayBuffer) {
    return new Uint8Array(given);
  }
  if (given instanceof Uint8Array) {
    return given;
  }
  throw new AmbryError('BadValue', 'Neither numbers nor a picture.', { path: 'input' });
}
