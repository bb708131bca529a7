// An image classifier, on the worker's side. A worker serves one model.
import type { ModelHandlers } from '../model/worker-open.ts';
import { requireOpen } from '../runtime/worker-open-check.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { ImageClassifierModule } from '../wasm/module.mjs';
import type { ClassifierCalls } from './protocol.ts';
import { Network } from './worker-network.ts';

export function classifierHandlers(
  runtime: WorkerRuntime<ImageClassifierModule>,
): ModelHandlers<ClassifierCalls> {
  let network: Network | undefined;

  return {
    loader: {
      prepare: () => runtime.wasm(),
      load: async (source, _, context) => {
        const module = await runtime.wasm();
        network = await Network.load(module, source, context);
        return network.facts();
      },
    },
    handlers: {
      classify: async (input, context) => requireOpen(network).classify(input, context),
    },
  };
}
