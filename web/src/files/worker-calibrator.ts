// Calibration in workers whose module also runs models.
import type { AmbryModule } from '../wasm/module.mjs';
import { calibrate } from './worker-calibrate.ts';
import { withActivations } from './worker-calibrate-text.ts';
import type { Calibrator } from './worker-convert-job.ts';

export const calibratorOf = (module: AmbryModule): Calibrator => ({
  ranges: (source, images, plan, context) => calibrate(module, source, images, plan, context),
  withActivations: (quantize, runnable, context, use) =>
    withActivations(module, quantize, runnable, context, use),
});
