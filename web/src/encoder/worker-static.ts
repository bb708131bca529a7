// A static encoder on the worker's side. It answers the calls of an encoder, but for those by which workers embed side by
// side: one is fast enough.
import { loadModel, openedModel } from '../model/worker-load.ts';
import type { ModelHandlers } from '../model/worker-open.ts';
import { embedTexts } from '../model/worker-texts.ts';
import { toJson, unwrap } from '../runtime/worker-heap.ts';
import { requireOpen } from '../runtime/worker-open-check.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import { tokenHandlers } from '../tokenizer/worker-tokens.ts';
import type { StaticEncoderModel, StaticModule } from '../wasm/module.mjs';
import type { StaticEncoderCalls } from './protocol.ts';

export function staticEncoderHandlers(
  runtime: WorkerRuntime<StaticModule>,
): ModelHandlers<StaticEncoderCalls> {
  let held: StaticEncoderModel | undefined;
  const model = () => requireOpen(held);

  return {
    loader: {
      codes: ['static-small', 'static'],
      prepare: () => runtime.wasm(),
      load: async (source, { weights }, context) => {
        const module = await runtime.wasm();
        const how = { options: { weights }, mayStream: true };
        held = await loadModel(module, 'staticEncoder', source, context, how);
        return openedModel(module, 'encoder', held);
      },
    },
    handlers: {
      ...tokenHandlers(runtime, model),

      embed: async ({ texts, settings }, context) => {
        const module = await runtime.wasm();
        const job = unwrap(module.beginTexts('staticEmbed', model(), toJson(settings)));
        return embedTexts(module, job, texts, context);
      },
    },
  };
}
