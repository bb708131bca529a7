// Calibration for SQ8: runs a float network over images and records the ranges of its activations.

import { putInput } from '../image-classifier/worker-put-input.ts';
import type { Pixels } from '../platform/types.ts';
import type { CallContext } from '../rpc/serve.ts';
import { withEventLoop } from '../runtime/worker-event-loop.ts';
import { unwrap, using } from '../runtime/worker-heap.ts';
import { fillSink, withParts } from '../runtime/worker-parts.ts';
import type { ByteSource } from '../sources/base/byte-source.ts';
import type { ImageClassifierModule } from '../wasm/module.mjs';

/** Returns the option `ranges` of a quantization. `plan` is JSON, or empty. */
export async function calibrate(
  module: ImageClassifierModule,
  source: ByteSource,
  images: readonly (Float32Array | Pixels)[],
  plan: string,
  context: CallContext,
): Promise<unknown> {
  const begun = await withParts(module, source, (parts) => module.beginCalibration(parts, plan));
  return using(module, begun, async (calibration) => {
    await fillSink(module, calibration, source, context, 'load');
    await withEventLoop(async (eventLoop) => {
      for (const image of images) {
        await eventLoop.turn(context.signal);
        putInput(module, image, {
          tensor: (length) => module.calibrationImage(calibration, length),
          picture: (width, height) => module.calibrationPicture(calibration, width, height),
        });
        unwrap(module.calibrateOnImage(calibration));
      }
    });
    return unwrap(module.calibrationRanges(calibration));
  });
}
