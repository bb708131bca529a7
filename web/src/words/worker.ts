// The calls that word vectors take. A worker serves one model.
import { AmbryError } from '../errors.ts';
import type { WordsCalls } from '../rpc/protocol.ts';
import type { Handlers } from '../rpc/serve.ts';
import { need } from '../runtime/worker-need.ts';
import type { Workplace } from '../runtime/worker-workplace.ts';
import { openRanged, type RangedOptions } from '../sources/ranged.ts';
import type { WordsModule } from '../wasm/ambry.mjs';
import { WordsStore } from './worker-store.ts';

export interface WordsHandlers {
  readonly handlers: Handlers<WordsCalls>;
  /** Takes word vectors that were opened elsewhere. */
  readonly hold: (store: WordsStore) => WordsCalls['open']['out'];
}

export function wordsHandlers(
  place: Workplace<WordsModule>,
  { open: openSource, storeFor }: Omit<RangedOptions, 'signal'>,
): WordsHandlers {
  let words: WordsStore | undefined;

  const hold = (store: WordsStore) => {
    words = store;
    return store.facts();
  };

  const handlers: Handlers<WordsCalls> = {
    open: async ({ source: wire, mode }, context) => {
      if (mode === 'range') {
        const module = await place.wasm();
        const file = await openRanged(wire, {
          signal: context.signal,
          open: openSource,
          storeFor,
        });
        return hold(await WordsStore.openRanged(module, file, context));
      }
      return place.withSource(wire, context, async (module, source) =>
        hold(await WordsStore.load(module, source, context)),
      );
    },

    embed: ({ texts, settings }, context) => need(words).embed(texts, settings, context),
    tokenize: () => Promise.reject(noTokenizer()),
    detokenize: () => Promise.reject(noTokenizer()),

    wordVectors: ({ words: list, unnormalized }, context) =>
      need(words).vectors(list, unnormalized, context),
    explainWord: ({ word }, context) => need(words).explain(word, context),
    similarWords: ({ query, settings }, context) => need(words).similar(query, settings, context),
    analogy: ({ words: list, settings }, context) => need(words).analogy(list, settings, context),
    accuracy: ({ questions }, context) => need(words).accuracy(questions, context),
    listWords: async ({ offset, limit }) => need(words).list(offset, limit),
  };
  return { handlers, hold };
}

function noTokenizer(): AmbryError {
  const message = 'Word vectors have no tokenizer; their words are in `model.words`.';
  return new AmbryError('Unsupported', message, { path: 'tokenizer' });
}
