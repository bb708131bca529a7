// Word vectors on the worker's side. A worker serves one model.
import type { ModelHandlers } from '../model/worker-open.ts';
import { requireOpen } from '../runtime/worker-open-check.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import { openRanged, type RangedSources } from '../sources/ranged.ts';
import type { WordsModule } from '../wasm/module.mjs';
import type { WordsCalls } from './protocol.ts';
import { WordsStore } from './worker-store.ts';

export function wordsHandlers(
  runtime: WorkerRuntime<WordsModule>,
  sources: RangedSources,
): ModelHandlers<WordsCalls> {
  let words: WordsStore | undefined;

  return {
    loader: {
      prepare: () => runtime.wasm(),
      load: async (source, _, context) => {
        const module = await runtime.wasm();
        words = await WordsStore.load(module, source, context);
        return words.facts();
      },
      loadRanged: async ({ source }, context) => {
        const module = await runtime.wasm();
        const file = await openRanged(source, { ...sources, signal: context.signal });
        words = await WordsStore.openRanged(module, file, context);
        return words.facts();
      },
    },
    handlers: {
      embed: (input, context) => requireOpen(words).embed(input, context),
      wordVectors: ({ words: list, unnormalized }, context) =>
        requireOpen(words).vectors(list, unnormalized, context),
      explainWord: ({ word }, context) => requireOpen(words).explain(word, context),
      similarWords: ({ query, settings }, context) =>
        requireOpen(words).similar(query, settings, context),
      analogy: ({ words: list, settings }, context) =>
        requireOpen(words).analogy(list, settings, context),
      accuracy: ({ questions }, context) => requireOpen(words).accuracy(questions, context),
      listWords: async ({ offset, limit }) => requireOpen(words).list(offset, limit),
    },
  };
}
