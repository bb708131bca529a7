// Calibration: a float network is read once and run over images, for the ranges that SQ8 needs.
import type { CallContext } from '../rpc/serve.ts';
import type { ByteSource } from '../source/byte-source.ts';
import type { AmbryModule } from '../wasm/ambry.mjs';
import { withBreath } from './breath.ts';
import { bytesOf, unwrap, using } from './heap.ts';
import { fillSink, withParts } from './parts.ts';

/** The option `ranges` of a quantisation. Images are as the network takes them, normalised; `plan` is JSON, or empty. */
export async function calibrate(
  module: AmbryModule,
  source: ByteSource,
  images: readonly Float32Array[],
  plan: string,
  context: CallContext,
): Promise<unknown> {
  const begun = await withParts(module, source, (parts) => module.beginCalibration(parts, plan));
  return using(module, begun, async (calibration) => {
    await fillSink(module, calibration, source, context, 'load');
    await withBreath(async (breath) => {
      for (const image of images) {
        await breath.take(context.signal);
        const room = unwrap(module.calibrationImage(calibration, image.length));
        module.HEAPU8.set(bytesOf(image), room.address);
        unwrap(module.calibrateOnImage(calibration));
      }
    });
    return unwrap(module.calibrationRanges(calibration));
  });
}
