// A sentence encoder on the worker's side. A worker serves one model.

import { scoreHandlers } from '../classification-head/worker.ts';
import { loadModel, openedModel } from '../model/worker-load.ts';
import type { ModelHandlers } from '../model/worker-open.ts';
import { embedTexts } from '../model/worker-texts.ts';
import { toJson, unwrap } from '../runtime/worker-heap.ts';
import { requireOpen } from '../runtime/worker-open-check.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import { tokenHandlers } from '../tokenizer/worker-tokens.ts';
import type { EncoderModel, EncoderSmallModule } from '../wasm/module.mjs';
import { poolHandlers } from './pool/worker.ts';
import type { EncoderCalls } from './protocol.ts';

/** What an encoder brings to a worker, and the model for further calls. */
interface EncoderHandlers extends ModelHandlers<EncoderCalls> {
  readonly model: () => EncoderModel;
}

export function encoderHandlers(runtime: WorkerRuntime<EncoderSmallModule>): EncoderHandlers {
  let held: EncoderModel | undefined;
  const model = () => requireOpen(held);
  const pool = poolHandlers(runtime, {
    model,
    adopt: (adopted) => {
      held = adopted;
    },
  });

  return {
    model,
    loader: {
      codes: ['encoder-small', 'encoder'],
      prepare: () => runtime.wasm(),
      load: async (source, { weights }, context) => {
        const module = await runtime.wasm();
        const how = { options: { weights }, mayStream: true };
        held = await loadModel(module, 'encoder', source, context, how);
        return openedModel(module, 'encoder', held);
      },
    },
    handlers: {
      ...pool,
      ...scoreHandlers(runtime, model),

      ...tokenHandlers(runtime, model),

      embed: async ({ texts, settings }, context) => {
        const module = await runtime.wasm();
        const job = unwrap(module.beginTexts('embed', model(), toJson(settings)));
        return embedTexts(module, job, texts, context);
      },
    },
  };
}
