// Every call but those of keep-handlers.ts. A worker serves one thing: a model, a tokenizer, an index, or a single job.

import { classifyHandlers } from '../classifier/worker.ts';
import { Classifier } from '../classifier/worker-classifier.ts';
import { openEncoder, runHandlers } from '../encoder/worker.ts';
import type { AmbryError } from '../errors.ts';
import { calibratorOf } from '../files/worker-calibrator.ts';
import { convertHandlers, type OutputTo } from '../files/worker-convert.ts';
import { inspectHandlers } from '../files/worker-inspect.ts';
import { generateHandlers } from '../generator/worker.ts';
import { heldBy, kMagicBytes } from '../model/magic.ts';
import type { Calls, KeepCalls } from '../rpc/protocol.ts';
import type { Handlers } from '../rpc/serve.ts';
import type { Workplace } from '../runtime/worker-workplace.ts';
import type { RangedOptions } from '../sources/ranged.ts';
import { tokenizerHandlers } from '../tokenizer/worker.ts';
import type { AmbryModule } from '../wasm/ambry.mjs';
import { wordsHandlers } from '../words/worker.ts';
import { WordsStore } from '../words/worker-store.ts';

export function allHandlers(
  place: Workplace<AmbryModule>,
  ranged: Omit<RangedOptions, 'signal'>,
  outputTo?: OutputTo,
): Handlers<Omit<Calls, keyof KeepCalls>> {
  const run = runHandlers(place);
  const words = wordsHandlers(place, ranged);
  const pictures = classifyHandlers(place);
  const tokens = tokenizerHandlers(place);
  const texts = generateHandlers(place, ranged);
  // What is open decides who takes the calls that models of all kinds share.
  let opened: Pick<typeof run, 'embed' | 'tokenize' | 'detokenize'> = run;
  return {
    ...texts.handlers,
    ...pictures.handlers,
    ...words.handlers,
    ...inspectHandlers(place),
    ...convertHandlers(place, outputTo, calibratorOf),
    ...run,
    embed: (input, context) => opened.embed(input, context),
    tokenize: (input, context) => opened.tokenize(input, context),
    detokenize: (input, context) => opened.detokenize(input, context),

    open: (input, context) => {
      if (input.mode === 'classifier') {
        opened = pictures.handlers;
        return pictures.handlers.open(input, context);
      }
      if (input.mode === 'generator' || input.resident !== undefined) {
        opened = texts.handlers;
        return texts.handlers.open(input, context);
      }
      opened = words.handlers;
      if (input.mode === 'range' || input.mode === 'words')
        return words.handlers.open(input, context);
      return place.withSource(input.source, context, async (module, source) => {
        const head = await source.read(0, Math.min(source.size ?? kMagicBytes, kMagicBytes));
        const held = heldBy(head);
        if (held === 'words') return words.hold(await WordsStore.load(module, source, context));
        if (held === 'generator') {
          opened = texts.handlers;
          return texts.load(module, source, input, context);
        }
        opened = run;
        return openEncoder(place, module, source, context, input.weights).catch(
          async (error: AmbryError) => {
            // Networks for pictures have no magic, so they are asked last.
            const network =
              error.code === 'BadMagic' && source.seekable
                ? await unlessForeign(Classifier.load(module, source, context))
                : undefined;
            if (!network) throw error;
            opened = pictures.handlers;
            return pictures.hold(network);
          },
        );
      });
    },

    openTokenizer: (input, context) => {
      opened = { ...tokens, embed: run.embed };
      return tokens.openTokenizer(input, context);
    },
  };
}

async function unlessForeign<T>(opening: Promise<T>): Promise<T | undefined> {
  return opening.catch((error: AmbryError) => {
    if (error.code === 'BadMagic') return undefined;
    throw error;
  });
}
