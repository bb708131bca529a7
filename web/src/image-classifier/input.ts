// Prepares the input of a network for the worker. Pictures are decoded here, because only the platform can decode
// them.
import { AmbryError } from '../base/errors.ts';
import type { Platform } from '../platform/platform.ts';
import type { Pixels } from '../platform/types.ts';
import { checkedPixels } from './checked-pixels.ts';
import type { ImageInput } from './types.ts';

export async function wireInput(
  platform: Platform,
  given: ImageInput,
): Promise<Float32Array | Pixels> {
  return given instanceof Float32Array ? given : pixelsOf(platform, given);
}

async function pixelsOf(
  platform: Platform,
  given: Exclude<ImageInput, Float32Array>,
): Promise<Pixels> {
  if (isPixels(given)) {
    return checkedPixels(given);
  }
  try {
    const pictures = await (platform.pictures?.() ?? import('./browser-pictures.ts'));
    return checkedPixels(await pictures.pixelsOf(given));
  } catch (error) {
    if (error instanceof AmbryError) {
      throw error;
    }
    throw new AmbryError('BadValue', `The picture cannot be decoded: ${String(error)}`, {
      path: 'picture',
      cause: error,
    });
  }
}

function isPixels(given: unknown): given is Pixels {
  const { data } = (given ?? {}) as { readonly data?: unknown };
  return data instanceof Uint8ClampedArray || data instanceof Uint8Array;
}
