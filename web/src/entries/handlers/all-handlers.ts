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
import { headOf, isStaticEncoder } from '../../model/opening.ts';
import { type Loader, type Loaders, openWith } from '../../model/worker-open.ts';
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
import type { TokenizerCalls } from '../../tokenizer/protocol.ts';
import { tokenizerHandlers } from '../../tokenizer/worker.ts';
import { moduleConvert } from '../../wasm/module-convert.ts';
import { moduleEncoder } from '../../wasm/module-encoder.ts';
import { moduleGenerator } from '../../wasm/module-generator.ts';
import { moduleImageClassifier } from '../../wasm/module-image-classifier.ts';
import { moduleInspect } from '../../wasm/module-inspect.ts';
import { moduleStatic } from '../../wasm/module-static.ts';
import { moduleTextClassifier } from '../../wasm/module-text-classifier.ts';
import { moduleTokenizer } from '../../wasm/module-tokenizer.ts';
import { moduleVectors } from '../../wasm/module-vectors.ts';
import { moduleWords } from '../../wasm/module-words.ts';
import type { WordsCalls } from '../../words/protocol.ts';
import { wordsHandlers } from '../../words/worker.ts';
import { everyEncoderHandlers } from './encoder-handlers.ts';
import { OpenModel } from './open-model.ts';
import type { RuntimeOf } from './runtime-of.ts';

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
  runtimeOf: RuntimeOf,
  sources: RangedSources,
  outputTo?: OutputTo,
): Handlers<AllCalls> {
  const encoders = runtimeOf(moduleEncoder);
  const classifiers = runtimeOf(moduleImageClassifier);
  const generators = runtimeOf(moduleGenerator);
  const encoder = everyEncoderHandlers(encoders);
  const staticEncoder = staticEncoderHandlers(runtimeOf(moduleStatic));
  const words = wordsHandlers(runtimeOf(moduleWords), sources);
  const classifier = classifierHandlers(classifiers);
  const textClassifier = textClassifierHandlers(runtimeOf(moduleTextClassifier));
  const generator = generatorHandlers(generators, sources);
  const { openTokenizer, ...tokenizer } = tokenizerHandlers(runtimeOf(moduleTokenizer));

  const open = new OpenModel();
  const loaders: Loaders = {
    encoder: anyEncoder(open.loaderOf(encoder), open.loaderOf(staticEncoder)),
    words: open.loaderOf(words),
    classifier: open.loaderOf(classifier),
    textClassifier: open.loaderOf(textClassifier),
    generator: open.loaderOf(generator),
  };
  const models = [encoder, staticEncoder, words, classifier, textClassifier, generator];
  return {
    ...(open.handlersOf(models.map(({ handlers }) => handlers)) as Handlers<ModelCalls>),
    open: openWith(encoders, loaders),
    openTokenizer: async (input, context) => {
      const info = await openTokenizer(input, context);
      open.serveWith(tokenizer);
      return info;
    },
    ...chatTemplateHandlers(),
    ...inspectHandlers(runtimeOf(moduleInspect)),
    ...convertHandlers(runtimeOf(moduleConvert), outputTo, calibratorOf(classifiers, generators)),
    ...indexHandlers(encoders, anyIndex),
    ...vectorHandlers(runtimeOf(moduleVectors), sources),
    ...distillHandlers(encoders, outputTo),
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
