// Quantises a model, with the progress of each phase.

import { type Progress, type QuantizeOptions, type QuantizeType, quantize } from 'ambry';
import type { JobContext } from '../shared/jobs.ts';
import type { GivenModel, Outcome, Settings } from './state.ts';
import { storageOf } from './storage.ts';

/** What a conversion comes to before it is checked. */
export type Made = Pick<Outcome, 'content' | 'report' | 'agreement' | 'warnings'>;

/** Quantises, which may begin with a run over a text and ends with a comparison of outputs that nobody can tell
 *  the length of. */
export async function quantized(
  { name, source }: GivenModel,
  { to, storage, block, bits, calibration, images, plan }: Settings,
  { report, stage }: JobContext,
  options: Omit<QuantizeOptions, 'type'>,
): Promise<Omit<Made, 'warnings'>> {
  const { hasBlocks, hasBits, hasImages } = storageOf(to, storage);
  let at: Progress['phase'] = 'load';
  const made = await quantize(source, {
    ...options,
    onProgress: ({ phase, loaded, total }) => {
      if (phase !== at && phase === 'calibrate') {
        stage(`Running ${name} over the text`, 'tokens');
      } else if (phase !== at && at === 'calibrate') {
        stage(`Converting ${name}`, 'bytes');
      }
      at = phase;
      report(loaded, total);
      if (loaded === total && phase === 'convert') {
        stage(`Comparing what ${name} says before and after`, 'bytes');
      }
    },
    type: storage as QuantizeType,
    ...(hasBlocks && { block: block as 32 | 128 }),
    ...(hasBits && { bits }),
    ...(hasBits && calibration.trim() !== '' && { calibration }),
    ...(hasImages && { images }),
    ...(hasImages && plan !== null && { plan: await plan.text() }),
  });
  return { content: made.blob as Blob, report: made.report, agreement: made.agreement };
}
