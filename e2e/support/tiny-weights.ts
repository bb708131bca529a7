// Converts the tiny model to a `.weights` file.

import { convert } from 'ambry';
import { tinyModel } from './tiny-model.ts';

export async function tinyWeights(seed = 1): Promise<Buffer> {
  const converted = await convert(tinyModel(seed), { to: 'embd' });
  return Buffer.from(await converted.arrayBuffer());
}
