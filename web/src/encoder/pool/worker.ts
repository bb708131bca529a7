// The calls by which workers embed side by side with one encoder. The model's own worker lends it, and the others borrow
// it. Afterwards each of them embeds as if it were alone.
import type { Handlers } from '../../rpc/serve.ts';
import type { WorkerRuntime } from '../../runtime/worker-runtime.ts';
import type { EncoderModel, EncoderSmallModule, Handle } from '../../wasm/module.mjs';
import type { PoolCalls } from './protocol.ts';

/** The encoder that the worker holds. */
interface HeldEncoder {
  readonly model: () => EncoderModel;
  readonly adopt: (model: EncoderModel) => void;
}

export function poolHandlers(
  runtime: WorkerRuntime<EncoderSmallModule>,
  held: HeldEncoder,
): Handlers<PoolCalls> {
  return {
    lendEncoder: async (_, { transfer }) => {
      const model = held.model();
      const lent = await runtime.lend();
      if ('heap' in lent.memory) {
        transfer.push(lent.memory.heap.buffer);
      }
      return { ...lent, model };
    },

    borrowEncoder: async ({ model, ...lent }) => {
      await runtime.borrow(lent);
      held.adopt(model as EncoderModel);
      return null;
    },

    freeStack: async (stack) => {
      (await runtime.wasm()).release(stack as Handle);
      return null;
    },
  };
}
