// The calls of a worker that serves a tokenizer by itself, of any kind.

import type { TokenizerInfo } from '../model/file-info.ts';
import { openHead } from '../model/worker-load.ts';
import type { Handlers } from '../rpc/serve.ts';
import { unwrap } from '../runtime/worker-heap.ts';
import { requireOpen } from '../runtime/worker-open-check.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { TokenizerModel, TokenizerModule } from '../wasm/module.mjs';
import type { TokenizerCalls } from './protocol.ts';
import { tokenHandlers } from './worker-tokens.ts';

export function tokenizerHandlers(
  runtime: WorkerRuntime<TokenizerModule>,
): Handlers<TokenizerCalls> {
  let opened: TokenizerModel | undefined;

  return {
    openTokenizer: ({ source: wire, lowercase }, context) =>
      runtime.withSource(wire, context, async (module, source) => {
        opened = await openHead(module, 'tokenizer', source, { lowercase });
        return unwrap(module.modelFacts(opened)).info as TokenizerInfo;
      }),

    ...tokenHandlers(runtime, () => requireOpen(opened)),
  };
}
