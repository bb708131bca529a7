// The calls of a worker that serves a tokenizer by itself, of any kind.

import { AmbryError } from '../base/errors.ts';
import type { TokenizerInfo } from '../model/file-info.ts';
import { openHead } from '../model/worker-load.ts';
import type { CallContext, Handlers } from '../rpc/serve.ts';
import { unwrap } from '../runtime/worker-heap.ts';
import { requireOpen } from '../runtime/worker-open-check.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { NamedSource } from '../sources/base/wire.ts';
import type { TokenizerModel, TokenizerModule } from '../wasm/module.mjs';
import type { OpenedTokenizer, TokenizerCalls } from './protocol.ts';
import { settingsIn } from './worker-settings.ts';
import { tokenHandlers } from './worker-tokens.ts';

type Runtime = WorkerRuntime<TokenizerModule>;
type Facts = TokenizerInfo & Pick<OpenedTokenizer, 'chatTemplate' | 'specialTokens'>;

/** More than the settings of any tokenizer have. */
const mostBytes = 16 << 20;

export function tokenizerHandlers(runtime: Runtime): Handlers<TokenizerCalls> {
  let opened: TokenizerModel | undefined;

  return {
    openTokenizer: async ({ name = '', source: wire, beside = [], ...given }, context) => {
      const settings = settingsIn(await textsOf(runtime, beside, context));
      const stated = name === 'vocab.txt' ? settings.lowercase : undefined;
      if (stated !== undefined && given.lowercase !== undefined) {
        const message = 'The tokenizer_config.json says it (do_lower_case). Leave this option out.';
        throw new AmbryError('BadValue', message, { path: 'lowercase' });
      }
      const options = { lowercase: stated ?? given.lowercase, encoding: given.encoding };
      return runtime.withSource(wire, context, async (module, source) => {
        opened = await openHead(module, 'tokenizer', source, options);
        const { chatTemplate, specialTokens, ...info } = unwrap(module.modelFacts(opened))
          .info as Facts;
        return {
          info,
          chatTemplate: settings.chatTemplate ?? chatTemplate,
          specialTokens: { ...specialTokens, ...settings.specialTokens },
        };
      });
    },

    ...tokenHandlers(runtime, () => requireOpen(opened)),
  };
}

async function textsOf(
  runtime: Runtime,
  files: readonly NamedSource[],
  context: CallContext,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { name, source } of files) {
    const text = await runtime.withSource(source, context, async (_, file) => {
      const size = await file.measure();
      if (size > mostBytes) {
        const message = `${name} has ${size} bytes; at most ${mostBytes} are supported.`;
        throw new AmbryError('LimitExceeded', message, { path: name });
      }
      return new TextDecoder().decode(await file.read(0, size));
    });
    texts.set(name, text);
  }
  return texts;
}
