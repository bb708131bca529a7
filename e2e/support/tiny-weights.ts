// The tiny model as a `.weights` file, made by the package's own converter.

import { convert } from 'ambry';
import { tinyModel } from './tiny-model.ts';

export async function tinyWeights(seed = 1): Promise<Buffer> {
  const converted = await convert(tinyModel(seed), { to: 'embd' });
  return Buffer.from(await converted.arrayBuffer());
}
