// A static encoder on the worker's side. It answers the calls of an encoder, but for those by which workers embed side by
// side: one is fast enough.
import type { FileInfo } from '../model/file-info.ts';
import { weightStorages } from '../model/types.ts';
import type { ModelHandlers } from '../model/worker-open.ts';
import { encode, unwrap, using } from '../runtime/worker-heap.ts';
import { requireOpen } from '../runtime/worker-open-check.ts';
import { fillSink, withParts } from '../runtime/worker-parts.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { Tokens } from '../tokenizer/types.ts';
import type { PartialSource, StaticModule, StaticSession } from '../wasm/module.mjs';
import type { StaticEncoderCalls } from './protocol.ts';
import { runEmbedJob } from './worker-embed.ts';

export function staticEncoderHandlers(
  runtime: WorkerRuntime<StaticModule>,
): ModelHandlers<StaticEncoderCalls> {
  let session: StaticSession | undefined;

  return {
    loader: {
      codes: ['static-small', 'static'],
      prepare: () => runtime.wasm(),
      load: async (source, { weights = weightStorages[0] }, context) => {
        const module = await runtime.wasm();
        const begin = (parts: PartialSource) => module.beginStaticLoad(parts, weights);
        const loader = await withParts(module, source, begin, true);
        const loaded = await using(module, loader, async () => {
          await fillSink(module, loader, source, context, source.phase);
          return unwrap(module.finishStaticLoad(loader));
        });
        session = loaded;
        const { info, weightBytes } = unwrap(module.staticFacts(loaded));
        const flavour = module.simdFlavour();
        return { kind: 'encoder', info: info as FileInfo, weightBytes, flavour };
      },
    },
    handlers: {
      tokenize: async ({ text, options: { special = true, pair } }) => {
        const opened = requireOpen(session);
        const module = await runtime.wasm();
        const second = encode(pair ?? '');
        const isPair = pair !== undefined;
        return unwrap(
          module.tokenizeStatic(opened, encode(text), special, isPair, second),
        ) as Tokens;
      },

      detokenize: async ({ ids, skipSpecial }) => {
        const opened = requireOpen(session);
        const module = await runtime.wasm();
        return unwrap(module.detokenizeStatic(opened, JSON.stringify(ids), skipSpecial));
      },

      embed: async ({ texts, settings }, context) => {
        const module = await runtime.wasm();
        const begun = module.beginStaticEmbed(requireOpen(session), JSON.stringify(settings));
        const { addStaticText, startStaticEmbed, stepStaticEmbed, staticEmbedded } = module;
        const calls = [addStaticText, startStaticEmbed, stepStaticEmbed, staticEmbedded] as const;
        return runEmbedJob(module, unwrap(begun), calls, texts, context);
      },
    },
  };
}
