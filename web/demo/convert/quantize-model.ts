// Quantizes a model and reports the progress of each phase.

import {
  type BlockSize,
  type Progress,
  type QuantizeOptions,
  type QuantizeType,
  quantize,
} from 'ambry';
import type { JobContext } from '../shared/jobs/jobs.ts';
import type { Outcome, Settings, SourceModel } from './state.ts';
import { storageTypeOf } from './storage-types.ts';

/** A converted model before it is checked. */
export type Converted = Pick<Outcome, 'content' | 'report' | 'agreement' | 'warnings'>;

/** May begin with a calibration run over a text. It ends with a comparison of outputs, whose length is unknown. */
export async function quantizeModel(
  { name, files }: SourceModel,
  { to, storage, block, bits, calibration, images, plan }: Settings,
  { report, stage }: JobContext,
  options: Omit<QuantizeOptions, 'type'>,
): Promise<Omit<Converted, 'warnings'>> {
  const { hasBlocks, hasBits, hasImages } = storageTypeOf(to, storage);
  let current: Progress['phase'] = 'load';
  const made = await quantize(files, {
    ...options,
    onProgress: ({ phase, loaded, total }) => {
      if (phase !== current && phase === 'calibrate') {
        stage(`Running ${name} over the text`, 'tokens');
      } else if (phase !== current && current === 'calibrate') {
        stage(`Converting ${name}`, 'bytes');
      }
      current = phase;
      report(loaded, total);
      if (loaded === total && phase === 'convert') {
        stage(`Comparing the outputs of ${name} before and after`, 'bytes');
      }
    },
    type: storage as QuantizeType,
    ...(hasBlocks && { block: block as BlockSize }),
    ...(hasBits && { bits }),
    ...(hasBits && calibration.trim() !== '' && { calibration }),
    ...(hasImages && { images }),
    ...(hasImages && plan !== null && { plan: await plan.text() }),
  });
  return { content: made.blob as Blob, report: made.report, agreement: made.agreement };
}
