// Every call of the package but those that keep vectors. A worker serves one thing at a time: a model, a tokenizer, an
// index, or a single job.
import type { ClassifierCalls } from '../../classifier/protocol.ts';
import { classifierHandlers } from '../../classifier/worker.ts';
import type { ConvertCalls } from '../../convert/protocol.ts';
import { calibratorOf } from '../../convert/worker-calibrator.ts';
import { convertHandlers, type OutputTo } from '../../convert/worker-convert.ts';
import type { DistillCalls } from '../../distill/protocol.ts';
import { distillHandlers } from '../../distill/worker.ts';
import type { EncoderCalls } from '../../encoder/protocol.ts';
import { staticEncoderHandlers } from '../../encoder/worker-static.ts';
import type {
  ChatTemplateCalls,
  GeneratorCalls,
  TeamCalls,
} from '../../generator/base/protocol.ts';
import { chatTemplateHandlers } from '../../generator/templates/worker-chat-template.ts';
import { generatorHandlers } from '../../generator/worker.ts';
import type { InspectCalls } from '../../inspect/protocol.ts';
import { inspectHandlers } from '../../inspect/worker-inspect.ts';
import type { LateCalls } from '../../late-interaction/protocol.ts';
import type { EmbedCalls } from '../../model/embedding.ts';
import { headOf, isStaticEncoder } from '../../model/kind.ts';
import { openingOf } from '../../model/opening.ts';
import { type Loader, openWith } from '../../model/worker-open.ts';
import type { Handlers } from '../../rpc/serve.ts';
import type { IndexCalls } from '../../search/base/protocol.ts';
import type { KeptVectorsCalls } from '../../search/kept-vectors/protocol.ts';
import type { VectorCalls } from '../../search/vectors/protocol.ts';
import { vectorHandlers } from '../../search/vectors/worker.ts';
import { indexHandlers } from '../../search/worker.ts';
import { anyIndex } from '../../search/worker-document-store.ts';
import type { RangedSources } from '../../sources/ranged.ts';
import type { TextClassifierCalls } from '../../text-classifier/protocol.ts';
import { textClassifierHandlers } from '../../text-classifier/worker.ts';
import type { TokenCalls, TokenizerCalls } from '../../tokenizer/protocol.ts';
import { tokenizerHandlers } from '../../tokenizer/worker.ts';
import type { WordsCalls } from '../../words/protocol.ts';
import { wordsHandlers } from '../../words/worker.ts';
import type { AllRuntimes } from './all-runtimes.ts';
import { everyEncoderHandlers } from './encoder-handlers.ts';

type ModelCalls = EncoderCalls &
  LateCalls &
  WordsCalls &
  ClassifierCalls &
  TextClassifierCalls &
  GeneratorCalls &
  TeamCalls;

export type AllCalls = ModelCalls &
  ChatTemplateCalls &
  TokenizerCalls &
  DistillCalls &
  IndexCalls &
  VectorCalls &
  InspectCalls &
  ConvertCalls;
export type NodeCalls = AllCalls & KeptVectorsCalls;

export function allHandlers(
  runtimes: AllRuntimes,
  sources: RangedSources,
  outputTo?: OutputTo,
): Handlers<AllCalls> {
  const { encoders, classifiers, generators } = runtimes;
  const encoder = everyEncoderHandlers(encoders);
  const staticEncoder = staticEncoderHandlers(runtimes.staticEncoders);
  const words = wordsHandlers(runtimes.words, sources);
  const classifier = classifierHandlers(classifiers);
  const textClassifier = textClassifierHandlers(runtimes.textClassifiers);
  const generator = generatorHandlers(generators, sources);
  const tokenizer = tokenizerHandlers(runtimes.tokenizers);
  // What was opened last takes the calls that several kinds have.
  let embedder: Handlers<EmbedCalls> = encoder.handlers;
  let tokens: Handlers<TokenCalls> = encoder.handlers;
  const open = openWith(
    encoders,
    {
      encoder: anyEncoder(
        encoder.loader,
        after(staticEncoder.loader, () => {
          embedder = staticEncoder.handlers;
          tokens = staticEncoder.handlers;
        }),
      ),
      words: after(words.loader, () => {
        embedder = words.handlers;
      }),
      classifier: classifier.loader,
      textClassifier: textClassifier.loader,
      generator: after(generator.loader, () => {
        embedder = generator.handlers;
        tokens = generator.handlers;
      }),
    },
    openingOf,
  );

  return {
    ...generator.handlers,
    ...chatTemplateHandlers(),
    ...classifier.handlers,
    ...textClassifier.handlers,
    ...words.handlers,
    ...encoder.handlers,
    ...inspectHandlers(runtimes.inspectors),
    ...convertHandlers(runtimes.converters, outputTo, calibratorOf(classifiers, generators)),
    ...indexHandlers(encoders, anyIndex),
    ...vectorHandlers(runtimes.vectors, sources),
    ...distillHandlers(encoders, outputTo),
    open,
    embed: (input, context) => embedder.embed(input, context),
    tokenize: (input, context) => tokens.tokenize(input, context),
    detokenize: (input, context) => tokens.detokenize(input, context),
    openTokenizer: async (input, context) => {
      const info = await tokenizer.openTokenizer(input, context);
      tokens = tokenizer;
      return info;
    },
  };
}

/** The loader of static encoders for those, and that of transformers for the others. */
function anyEncoder({ prepare, load }: Loader, ofStatic: Loader): Loader {
  return {
    prepare,
    load: async (source, ...rest) => {
      const loader = isStaticEncoder(await headOf(source)) ? ofStatic.load : load;
      return loader(source, ...rest);
    },
  };
}

/** The loader, with `use` called after it has opened a model. */
function after(loader: Loader, use: () => void): Loader {
  const { load, loadRanged } = loader;
  return {
    ...loader,
    load: async (...args) => {
      const opened = await load(...args);
      use();
      return opened;
    },
    ...(loadRanged && {
      loadRanged: async (...args) => {
        const opened = await loadRanged(...args);
        use();
        return opened;
      },
    }),
  };
}
