// A classifier of texts, on the worker's side. A worker serves one model.
import type { ModelHandlers } from '../model/worker-open.ts';
import { requireOpen } from '../runtime/worker-open-check.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { TextClassifierModule } from '../wasm/module.mjs';
import type { TextClassifierCalls } from './protocol.ts';
import { TextModel } from './worker-model.ts';

export function textClassifierHandlers(
  runtime: WorkerRuntime<TextClassifierModule>,
): ModelHandlers<TextClassifierCalls> {
  let model: TextModel | undefined;

  return {
    loader: {
      prepare: () => runtime.wasm(),
      load: async (source, _, context) => {
        const module = await runtime.wasm();
        model = await TextModel.load(module, source, context);
        return model.facts();
      },
    },
    handlers: {
      predict: async (input, context) => requireOpen(model).predict(input, context),
    },
  };
}
