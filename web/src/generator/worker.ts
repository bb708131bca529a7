// A language model, on the worker's side. A worker serves one model, and one answer at a time.
import { AmbryError } from '../base/errors.ts';
import type { ModelHandlers } from '../model/worker-open.ts';
import { requireOpen } from '../runtime/worker-open-check.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import { openRanged, type RangedSources } from '../sources/ranged.ts';
import { tokenHandlers } from '../tokenizer/worker-tokens.ts';
import type { GeneratorModule } from '../wasm/module.mjs';
import type { GeneratorCalls, TeamCalls } from './base/protocol.ts';
import { Decoder } from './worker-decoder.ts';
import type { Generation } from './worker-generation.ts';
import { teamHandlers } from './worker-team.ts';

export function generatorHandlers(
  runtime: WorkerRuntime<GeneratorModule>,
  sources: RangedSources,
): ModelHandlers<GeneratorCalls & TeamCalls> {
  let decoder: Decoder | undefined;
  let generation: Generation | undefined;
  const tokens = tokenHandlers(runtime, () => requireOpen(decoder).model);

  return {
    loader: {
      prepare: () => runtime.wasm(),
      load: async (source, request, context) => {
        const module = await runtime.wasm();
        decoder = await Decoder.load(module, source, request, context);
        return decoder.facts();
      },
      loadRanged: async (request, context) => {
        const module = await runtime.wasm();
        const isOnDevice = request.device !== undefined && request.device !== 'wasm';
        const how = { ...sources, signal: context.signal };
        const file = await openRanged(request.source, how).catch((error: unknown) => {
          throw isOnDevice ? ofDevice(error) : error;
        });
        decoder = isOnDevice
          ? await Decoder.openOnDevice(module, file, request, context)
          : await Decoder.openRanged(module, file, request, context);
        return decoder.facts();
      },
    },
    handlers: {
      ...teamHandlers(runtime, () => requireOpen(decoder).model),

      ...tokens,
      tokenize: async (input, context) => {
        if (input.options.pair !== undefined) {
          throw noPairs();
        }
        return tokens.tokenize(input, context);
      },

      startGeneration: async (input) => {
        generation?.end();
        generation = undefined;
        generation = requireOpen(decoder).start(input);
        return null;
      },
      nextTokens: (_, context) => requireOpen(generation).next(context),
      endGeneration: async () => requireOpen(generation).end(),

      openSession: async () => requireOpen(decoder).sessions.open(),
      forkSession: async ({ session }) => requireOpen(decoder).sessions.fork(session),
      closeSession: async ({ session }) => requireOpen(decoder).sessions.close(session),
      saveSession: async ({ session, note }, { transfer }) => {
        const bytes = await requireOpen(decoder).sessions.save(session, note);
        transfer.push(bytes.buffer);
        return bytes;
      },
      restoreSession: ({ bytes }) => requireOpen(decoder).sessions.restore(bytes),

      embed: (input, context) => requireOpen(decoder).embed(input, context),
      logits: (input, context) => requireOpen(decoder).logits(input, context),
      scorePrompts: (input, context) => requireOpen(decoder).scorePrompts(input, context),
      decide: (input, context) => requireOpen(decoder).decide(input, context),
      perplexity: (input, context) => requireOpen(decoder).perplexity(input, context),
    },
  };
}

/** Names the option that needs a file which is read by range. */
function ofDevice(error: unknown): unknown {
  const isRange = error instanceof AmbryError && error.path === 'options.mode';
  return isRange ? new AmbryError(error.code, error.message, { path: 'options.device' }) : error;
}

function noPairs(): AmbryError {
  const message = 'A model that generates text takes no pairs of texts.';
  return new AmbryError('Unsupported', message, { path: 'pair' });
}
