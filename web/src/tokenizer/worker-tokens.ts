// The calls to the tokenizer of what a worker has opened.
import type { Handlers } from '../rpc/serve.ts';
import { encode, unwrap } from '../runtime/worker-heap.ts';
import type { AnyModel, TokensBindings } from '../wasm/module.mjs';
import type { TokenCalls } from './protocol.ts';
import type { Tokens } from './types.ts';

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

    detokenize: async ({ ids, skipSpecial }) => {
      const opened = model();
      return unwrap((await runtime.wasm()).detokenize(opened, JSON.stringify(ids), skipSpecial));
    },
  };
}
