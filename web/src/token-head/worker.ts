// Heads that every token passes, on the worker's side. Only modules with every encoder have them. A call can be cancelled
// between two batches.
import { scoreInputs } from '../classification-head/worker.ts';
import type { Handlers } from '../rpc/serve.ts';
import { toJson, unwrap } from '../runtime/worker-heap.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { EncoderModel, EncoderModule } from '../wasm/module.mjs';
import type { TokenHeadOnlyCalls } from './protocol.ts';

export function tokenHeadHandlers(
  runtime: WorkerRuntime<EncoderModule>,
  model: () => EncoderModel,
): Handlers<TokenHeadOnlyCalls> {
  return {
    tokenRows: async ({ inputs, settings }, context) => {
      const module = await runtime.wasm();
      const job = unwrap(module.beginTexts('tokenRows', model(), toJson(settings)));
      return scoreInputs(module, job, inputs, {
        context,
        take: ({ dim: width, rows }, moved) => {
          const windows = unwrap(module.tokenWindows(job));
          const numbers = (range: typeof rows) => new Uint32Array(moved(range));
          return {
            width,
            logits: new Float32Array(moved(rows)),
            inputs: numbers(windows.inputs),
            counts: numbers(windows.counts),
            tokens: numbers(windows.tokens),
          };
        },
      });
    },
  };
}
