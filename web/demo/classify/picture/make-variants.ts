// Quantizes a float network to DQ8 and SQ8.

import { type QuantizeOptions, quantize } from 'ambry';
import { quantizations } from 'ambry/tables';
import type { JobContext } from '../../shared/jobs/jobs.ts';
import type { Runtime } from '../../shared/site/runtime.ts';
import type { Network, NetworkFiles, Picture } from '../state/state.ts';

/** Whether the network has only its float variant. */
export const lacksVariants = ({ variants }: Network): boolean =>
  variants.length === 1 && variants[0]?.kind === 'vanilla';

/** Adds the DQ8 and SQ8 variants to the network's files. SQ8 is calibrated with the picture. */
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
  for (const type of quantizations.tinyruntime) {
    stage(`Quantizing to ${type.toUpperCase()}`, 'bytes');
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
