// The calls that models take which generate text. A worker serves one model, and one answer at a time.
import { AmbryError } from '../errors.ts';
import type { GenerateCalls } from '../rpc/protocol.ts';
import type { CallContext, Handlers } from '../rpc/serve.ts';
import { need } from '../runtime/worker-need.ts';
import type { Workplace } from '../runtime/worker-workplace.ts';
import type { ByteSource } from '../sources/byte-source.ts';
import { openRanged, type RangedOptions } from '../sources/ranged.ts';
import type { GenerateModule } from '../wasm/ambry.mjs';
import type { Generation } from './worker-generation.ts';
import { Generator } from './worker-generator.ts';

type Opening = GenerateCalls['open']['in'];

export interface GenerateHandlers {
  readonly handlers: Handlers<GenerateCalls>;
  /** Opens a model whole from a source that was opened elsewhere. */
  readonly load: (
    module: GenerateModule,
    source: ByteSource,
    input: Opening,
    context: CallContext,
  ) => Promise<GenerateCalls['open']['out']>;
}

export function generateHandlers(
  place: Workplace<GenerateModule>,
  { open: openSource, storeFor }: Omit<RangedOptions, 'signal'>,
): GenerateHandlers {
  let generator: Generator | undefined;
  let generation: Generation | undefined;

  const hold = (opened: Generator) => {
    generator = opened;
    return opened.facts();
  };
  const load: GenerateHandlers['load'] = async (module, source, input, context) =>
    hold(await Generator.load(module, source, settingsIn(input), context));

  const handlers: Handlers<GenerateCalls> = {
    open: async (input, context) => {
      const { source: wire, resident } = input;
      if (resident === undefined) {
        return place.withSource(wire, context, (module, source) =>
          load(module, source, input, context),
        );
      }
      const { signal } = context;
      const module = await place.wasm();
      const file = await openRanged(wire, { signal, open: openSource, storeFor });
      return hold(await Generator.openRanged(module, file, settingsIn(input), context));
    },

    tokenize: async ({ text, options: { special = true, pair } }) => {
      if (pair !== undefined) throw noPairs();
      return need(generator).tokenize(text, special);
    },
    detokenize: async ({ ids, skipSpecial }) => need(generator).detokenize(ids, skipSpecial),
    embed: () => Promise.reject(noVectors()),

    startGeneration: async (input) => {
      generation?.end();
      generation = undefined;
      generation = need(generator).start(input);
      return { promptIds: generation.promptIds() };
    },
    nextTokens: (_, context) => need(generation).next(context),
    endGeneration: async () => need(generation).end(),

    logits: (input, context) => need(generator).logits(input, context),
    perplexity: (input, context) => need(generator).perplexity(input, context),
  };
  return { handlers, load };
}

function settingsIn({ weights, kv, context, resident }: Opening) {
  return { weights, kv, context, resident };
}

function noPairs(): AmbryError {
  const message = 'A model that generates text takes no pairs of texts.';
  return new AmbryError('Unsupported', message, { path: 'pair' });
}

function noVectors(): AmbryError {
  const message = 'A model that generates text gives no vectors of texts.';
  return new AmbryError('Unsupported', message, { path: 'model' });
}
