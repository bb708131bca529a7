// The calls of a worker that serves a tokenizer by itself, of any kind.

import type { TokenizerInfo } from '../files/inspect-types.ts';
import type { TokenizeCalls } from '../rpc/protocol.ts';
import type { Handlers } from '../rpc/serve.ts';
import { encode, unwrap } from '../runtime/worker-heap.ts';
import { need } from '../runtime/worker-need.ts';
import { withParts } from '../runtime/worker-parts.ts';
import type { Workplace } from '../runtime/worker-workplace.ts';
import type { TextTokenizer, TokenizeModule } from '../wasm/ambry.mjs';
import type { Tokens } from './types.ts';

export function tokenizerHandlers(place: Workplace<TokenizeModule>): Handlers<TokenizeCalls> {
  let opened: TextTokenizer | undefined;

  return {
    openTokenizer: ({ source: wire }, context) =>
      place.withSource(wire, context, async (module, source) => {
        opened = await withParts(module, source, (parts) => module.openTokenizer(parts));
        return unwrap(module.tokenizerInfo(opened)) as TokenizerInfo;
      }),

    tokenize: async ({ text, options: { special = true, pair } }) => {
      const module = await place.wasm();
      const second = encode(pair ?? '');
      const hasPair = pair !== undefined;
      return unwrap(
        module.tokenizeWith(need(opened), encode(text), special, hasPair, second),
      ) as Tokens;
    },

    detokenize: async ({ ids, skipSpecial }) =>
      unwrap((await place.wasm()).detokenizeWith(need(opened), JSON.stringify(ids), skipSpecial)),
  };
}
