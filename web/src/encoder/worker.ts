// A sentence encoder on the worker's side. A worker serves one model.

import type { FileInfo } from '../model/file-info.ts';
import type { OpenedModel, OpenRequest } from '../model/protocol.ts';
import { weightStorages } from '../model/types.ts';
import type { ModelHandlers } from '../model/worker-open.ts';
import { scoreHandlers } from '../reranker/worker.ts';
import type { CallContext } from '../rpc/serve.ts';
import { encode, unwrap, using } from '../runtime/worker-heap.ts';
import { requireOpen } from '../runtime/worker-open-check.ts';
import { fillSink, withParts } from '../runtime/worker-parts.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { ByteSource } from '../sources/base/byte-source.ts';
import type { Tokens } from '../tokenizer/types.ts';
import type {
  EncoderSession,
  EncoderSmallModule,
  PartialSource,
  Tokenizer,
} from '../wasm/module.mjs';
import { poolHandlers } from './pool/worker.ts';
import type { EncoderCalls } from './protocol.ts';
import { embed } from './worker-embed.ts';

/** What an encoder brings to a worker, and its session for further calls. */
export interface EncoderHandlers extends ModelHandlers<EncoderCalls> {
  readonly session: () => EncoderSession;
}

export function encoderHandlers(runtime: WorkerRuntime<EncoderSmallModule>): EncoderHandlers {
  let session: EncoderSession | undefined;
  let tokenizer: Tokenizer | undefined;
  const pool = poolHandlers(runtime, {
    session: () => requireOpen(session),
    adopt: (adopted) => {
      session = adopted;
    },
  });

  return {
    session: () => requireOpen(session),
    loader: {
      codes: ['encoder-small', 'encoder'],
      prepare: () => runtime.wasm(),
      load: async (source, request, context) => {
        const module = await runtime.wasm();
        session = await loadEncoder(module, source, request, context);
        tokenizer = unwrap(module.sessionTokenizer(session));
        return factsOf(module, session);
      },
    },
    handlers: {
      ...pool,
      ...scoreHandlers(runtime, () => requireOpen(session)),

      tokenize: async ({ text, options: { special = true, pair } }) => {
        const opened = requireOpen(tokenizer);
        const module = await runtime.wasm();
        const second = encode(pair ?? '');
        const tokens = module.tokenize(opened, encode(text), special, pair !== undefined, second);
        return unwrap(tokens) as Tokens;
      },

      detokenize: async ({ ids, skipSpecial }) => {
        const opened = requireOpen(tokenizer);
        return unwrap((await runtime.wasm()).detokenize(opened, JSON.stringify(ids), skipSpecial));
      },

      embed: async (input, context) => {
        const module = await runtime.wasm();
        return embed(module, requireOpen(session), input, context);
      },
    },
  };
}

async function loadEncoder(
  module: EncoderSmallModule,
  source: ByteSource,
  { weights = weightStorages[0] }: OpenRequest,
  context: CallContext,
): Promise<EncoderSession> {
  const begin = (parts: PartialSource) => module.beginLoad(parts, weights);
  const loader = await withParts(module, source, begin, true);
  return using(module, loader, async () => {
    await fillSink(module, loader, source, context, source.phase);
    return unwrap(module.finishLoad(loader));
  });
}

function factsOf(module: EncoderSmallModule, session: EncoderSession): OpenedModel {
  const { info, weightBytes } = unwrap(module.sessionFacts(session));
  return { kind: 'encoder', info: info as FileInfo, weightBytes, flavour: module.simdFlavour() };
}
