// Calibration for adaptive quantization and for GGUF's K-quants: runs a language model over texts and records how large the activations are.
// The quantization weights its errors by them.
import { AmbryError } from '../base/errors.ts';
import { loadModel } from '../model/worker-load.ts';
import type { CallContext } from '../rpc/serve.ts';
import { withEventLoop } from '../runtime/worker-event-loop.ts';
import { copyOut, unwrap, using, wellFormed } from '../runtime/worker-heap.ts';
import type { ByteSource } from '../sources/base/byte-source.ts';
import type { GeneratorModel, GeneratorModule, SavedActivations } from '../wasm/module.mjs';
import type { QuantizeWire } from './protocol.ts';

/** Returns the statistics as bytes for `readActivations`. `runnable` returns the model as a file that runs. */
export async function activationsOf(
  module: GeneratorModule,
  quantize: Partial<QuantizeWire>,
  runnable: () => Promise<ByteSource>,
  context: CallContext,
): Promise<Uint8Array> {
  const texts = textsOf(quantize);
  const model = await opened(module, await runnable(), context);
  const activations = await using(module, model, () => observe(module, model, texts, context));
  return using(module, activations, () => copyOut(module, unwrap(module.rangeOf(activations))));
}

function textsOf({ calibration }: Partial<QuantizeWire>): readonly string[] {
  const texts: unknown = typeof calibration === 'string' ? [calibration] : calibration;
  if (Array.isArray(texts) && texts.every((text) => typeof text === 'string')) {
    return texts;
  }
  throw bad('must be a text or a list of texts');
}

function bad(problem: string): AmbryError {
  return new AmbryError('BadValue', `Calibration ${problem}.`, { path: 'calibration' });
}

async function opened(
  module: GeneratorModule,
  source: ByteSource,
  context: CallContext,
): Promise<GeneratorModel> {
  try {
    return await loadModel(module, 'generator', source, context);
  } catch (error) {
    if (!(error instanceof AmbryError)) {
      throw error;
    }
    const message = `Calibration runs the model, and it cannot be run: ${error.message}`;
    throw new AmbryError(error.code, message, error);
  }
}

async function observe(
  module: GeneratorModule,
  model: GeneratorModel,
  texts: readonly string[],
  { signal, report }: CallContext,
): Promise<SavedActivations> {
  const options = JSON.stringify({ texts: texts.map(wellFormed) });
  return using(module, unwrap(module.beginActivations(model, options)), (job) =>
    withEventLoop(async (eventLoop) => {
      for (;;) {
        await eventLoop.turn(signal);
        const { done, loaded, total } = unwrap(module.stepPass(job));
        report({ phase: 'calibrate', loaded, total, cached: false });
        if (done) {
          return unwrap(module.finishActivations(job));
        }
      }
    }),
  );
}
