// The two kinds of bytes, made of a network of floats.

import { type QuantizeOptions, quantize } from 'ambry';
import type { JobContext } from '../shared/jobs.ts';
import type { Runtime } from '../shared/runtime.ts';
import type { Network, NetworkFiles, Picture } from './state.ts';

const kTypes = ['dq8', 'sq8'] as const;

/** Whether the network is there as floats only. */
export const lacksVariants = ({ variants }: Network): boolean =>
  variants.length === 1 && variants[0]?.kind === 'vanilla';

/** The network's files and one of each kind of bytes. SQ8 learns the ranges of its numbers from the picture. */
export async function withVariants(
  files: NetworkFiles,
  { pixels }: Picture,
  runtime: Runtime,
  { signal, stage, report }: JobContext,
): Promise<NetworkFiles> {
  const weights = [...files.weights];
  const [floats] = weights;
  if (floats === undefined) {
    return files;
  }
  for (const type of kTypes) {
    stage(`Making ${type.toUpperCase()}`, 'bytes');
    const options: QuantizeOptions = {
      ...runtime,
      type,
      signal,
      onProgress: ({ loaded, total }) => report(loaded, total),
      ...(type === 'sq8' && { images: [pixels] }),
      ...(type === 'sq8' && files.plan !== null && { plan: files.plan }),
    };
    const { blob } = await quantize(floats.source, options);
    if (blob !== null) {
      weights.push({ name: `${files.name}-${type}.bin`, source: blob });
    }
  }
  return { ...files, weights };
}
