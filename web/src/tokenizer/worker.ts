// The calls of a worker that serves a tokenizer by itself, of any kind.

import type { TokenizerInfo } from '../model/file-info.ts';
import type { Handlers } from '../rpc/serve.ts';
import { encode, unwrap } from '../runtime/worker-heap.ts';
import { requireOpen } from '../runtime/worker-open-check.ts';
import { withParts } from '../runtime/worker-parts.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { TextTokenizer, TokenizerModule } from '../wasm/module.mjs';
import type { TokenizerCalls } from './protocol.ts';
import type { Tokens } from './types.ts';

export function tokenizerHandlers(
  runtime: WorkerRuntime<TokenizerModule>,
): Handlers<TokenizerCalls> {
  let opened: TextTokenizer | undefined;

  return {
    openTokenizer: ({ source: wire, lowercase }, context) =>
      runtime.withSource(wire, context, async (module, source) => {
        opened = await withParts(module, source, (parts) =>
          lowercase === undefined
            ? module.openTokenizer(parts)
            : module.openVocabulary(parts, lowercase),
        );
        return unwrap(module.tokenizerInfo(opened)) as TokenizerInfo;
      }),

    tokenize: async ({ text, options: { special = true, pair } }) => {
      const module = await runtime.wasm();
      const second = encode(pair ?? '');
      const hasPair = pair !== undefined;
      return unwrap(
        module.tokenizeWith(requireOpen(opened), encode(text), special, hasPair, second),
      ) as Tokens;
    },

    detokenize: async ({ ids, skipSpecial }) =>
      unwrap(
        (await runtime.wasm()).detokenizeWith(
          requireOpen(opened),
          JSON.stringify(ids),
          skipSpecial,
        ),
      ),
  };
}
