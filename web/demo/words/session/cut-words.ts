// What is missing of word vectors that open although their end is missing. The code that checks files is loaded for such files alone.

import { validate } from 'ambry';
import { cutOffLine, cutOffOf } from '../../shared/failures/cut-off.ts';
import type { Runtime } from '../../shared/site/runtime.ts';

/** Empty for a file that is whole. */
export async function cutLine(file: File, runtime: Runtime): Promise<string> {
  const { errors } = await validate(file, { ...runtime, checksums: false });
  const cut = cutOffOf(errors);
  return cut === null ? '' : cutOffLine(cut, file.size);
}
