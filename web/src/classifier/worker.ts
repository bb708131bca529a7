// A network that classifies pictures, on the worker's side. A worker serves one model.
import type { ModelHandlers } from '../model/worker-open.ts';
import { requireOpen } from '../runtime/worker-open-check.ts';
import type { ClassifyModule } from '../wasm/module.mjs';
import type { ClassifierCalls } from './protocol.ts';
import { Network } from './worker-network.ts';

export function classifierHandlers(): ModelHandlers<ClassifyModule, ClassifierCalls> {
  let network: Network | undefined;

  return {
    loader: {
      load: async (module, source, _, context) => {
        network = await Network.load(module, source, context);
        return network.facts();
      },
    },
    handlers: {
      classify: async (input, context) => requireOpen(network).classify(input, context),
    },
  };
}
