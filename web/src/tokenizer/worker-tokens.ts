// The calls to the tokenizer of what a worker has opened.
import type { Handlers } from '../rpc/serve.ts';
import { withEventLoop } from '../runtime/worker-event-loop.ts';
import { encode, unwrap } from '../runtime/worker-heap.ts';
import type { AnyModel, TokensBindings } from '../wasm/module.mjs';
import type { TokenCalls } from './protocol.ts';
import type { Tokens } from './types.ts';

/** Code units that are counted between two looks at the messages: some milliseconds. */
const unitsOfATurn = 1 << 15;

/** `model` throws when nothing is open. */
export function tokenHandlers(
  runtime: { readonly wasm: () => Promise<TokensBindings> },
  model: () => AnyModel,
): Handlers<TokenCalls> {
  return {
    tokenize: async ({ text, options: { special = true, pair } }) => {
      const opened = model();
      const module = await runtime.wasm();
      const isPair = pair !== undefined;
      const tokens = module.tokenize(opened, encode(text), special, isPair, encode(pair ?? ''));
      return unwrap(tokens) as Tokens;
    },

    countTokens: async ({ texts, most }, { signal, transfer }) => {
      const opened = model();
      const module = await runtime.wasm();
      const counts = new Uint32Array(texts.length);
      await withEventLoop(async (eventLoop) => {
        let taken = 0;
        for (const [i, text] of texts.entries()) {
          counts[i] = unwrap(module.tokenCount(opened, encode(text), most));
          taken += text.length + 1;
          if (taken > unitsOfATurn) {
            await eventLoop.turn(signal);
            taken = 0;
          }
        }
      });
      transfer.push(counts.buffer);
      return counts;
    },

    detokenize: async ({ ids, skipSpecial }) => {
      const opened = model();
      return unwrap((await runtime.wasm()).detokenize(opened, JSON.stringify(ids), skipSpecial));
    },
  };
}
