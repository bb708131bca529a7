// Every call of the package but those that keep vectors. A worker serves one thing at a time: a model, a tokenizer, an
// index, or a single job.
import type { ConvertCalls } from '../../convert/protocol.ts';
import { calibratorOf } from '../../convert/worker-calibrator.ts';
import { convertHandlers, type OutputTo } from '../../convert/worker-convert.ts';
import type { DistillCalls } from '../../distill/protocol.ts';
import { distillHandlers } from '../../distill/worker.ts';
import type { AllOutputsCalls } from '../../encoder/all/protocol.ts';
import type { EncoderCalls } from '../../encoder/protocol.ts';
import { staticEncoderHandlers } from '../../encoder/worker-static.ts';
import type { ChatTemplateCalls } from '../../generator/base/protocol.ts';
import { chatTemplateHandlers } from '../../generator/templates/worker-chat-template.ts';
import type { InspectCalls } from '../../inspect/protocol.ts';
import { inspectHandlers } from '../../inspect/worker-inspect.ts';
import type { LateCalls } from '../../late-interaction/protocol.ts';
import { headOf, isStaticEncoder } from '../../model/opening.ts';
import { type Loader, type Loaders, openWith } from '../../model/worker-open.ts';
import type { WorkerName } from '../../platform/platform.ts';
import type { Greeting } from '../../platform/types.ts';
import type { Handlers } from '../../rpc/serve.ts';
import type { RuntimeOf } from '../../runtime/worker-runtime.ts';
import type { IndexCalls } from '../../search/base/protocol.ts';
import type { KeptVectorsCalls } from '../../search/kept-vectors/protocol.ts';
import type { VectorCalls } from '../../search/vectors/protocol.ts';
import { vectorHandlers } from '../../search/vectors/worker.ts';
import { indexHandlers } from '../../search/worker.ts';
import { anyIndex } from '../../search/worker-document-store.ts';
import { haveOnnx } from '../../sources/onnx-source.ts';
import type { RangedSources } from '../../sources/ranged.ts';
import type { SparseOnlyCalls } from '../../sparse-encoder/protocol.ts';
import type { TokenHeadOnlyCalls } from '../../token-head/protocol.ts';
import type { TokenizerCalls } from '../../tokenizer/protocol.ts';
import { tokenizerHandlers } from '../../tokenizer/worker.ts';
import { moduleConvert } from '../../wasm/module-convert.ts';
import { moduleEncoder } from '../../wasm/module-encoder.ts';
import { moduleGenerator } from '../../wasm/module-generator.ts';
import { moduleImageClassifier } from '../../wasm/module-image-classifier.ts';
import { moduleInspect } from '../../wasm/module-inspect.ts';
import { moduleOnnx } from '../../wasm/module-onnx.ts';
import { moduleStatic } from '../../wasm/module-static.ts';
import { moduleTokenizer } from '../../wasm/module-tokenizer.ts';
import { moduleVectors } from '../../wasm/module-vectors.ts';
import { kindNames } from '../built/kinds/names.ts';
import { type KindCalls, kindHandlers } from '../built/kinds/worker-kinds.ts';
import { everyEncoderHandlers } from './encoder-handlers.ts';
import { OpenModel } from './open-model.ts';

type ModelCalls = EncoderCalls &
  LateCalls &
  TokenHeadOnlyCalls &
  SparseOnlyCalls &
  AllOutputsCalls &
  KindCalls;

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
  { worker }: Greeting,
  runtimeOf: RuntimeOf,
  sources: RangedSources,
  outputTo?: OutputTo,
): Handlers<AllCalls> {
  const isOnnx = worker === ('onnx' satisfies WorkerName);
  const encoders = runtimeOf(moduleEncoder);
  const encoder = everyEncoderHandlers(encoders);
  const staticEncoder = staticEncoderHandlers(runtimeOf(moduleStatic));
  const ofKinds = kindHandlers(runtimeOf, sources);
  const { openTokenizer, ...tokenizer } = tokenizerHandlers(runtimeOf(moduleTokenizer));

  const calibrator = calibratorOf(runtimeOf(moduleImageClassifier), runtimeOf(moduleGenerator));
  const converts = convertHandlers(runtimeOf(moduleConvert), outputTo, calibrator);
  const convertsOnnx = convertHandlers(runtimeOf(moduleOnnx), outputTo, calibrator);

  const open = new OpenModel();
  const loaders: Loaders = {
    ...Object.fromEntries(
      Object.entries(ofKinds).map(([kind, feature]) => [kind, open.loaderOf(feature)]),
    ),
    encoder: anyEncoder(open.loaderOf(encoder), open.loaderOf(staticEncoder)),
  };
  const models = [encoder, staticEncoder, ...Object.values(ofKinds)];
  return {
    ...(open.handlersOf(models.map(({ handlers }) => handlers)) as Handlers<ModelCalls>),
    open: openWith(encoders, loaders),
    openTokenizer: async (input, context) => {
      const info = await openTokenizer(input, context);
      open.serveWith(tokenizer);
      return info;
    },
    ...chatTemplateHandlers(),
    ...inspectHandlers(runtimeOf(isOnnx ? moduleOnnx : moduleInspect)),
    ...(isOnnx ? convertsOnnx : converts),
    // A conversion that calibrates comes to this worker whatever its source is.
    convert: async (given, context) => {
      const { convert } = (await haveOnnx(given.weights)) ? convertsOnnx : converts;
      return convert(given, context);
    },
    ...indexHandlers(encoders, anyIndex),
    ...vectorHandlers(runtimeOf(moduleVectors), sources),
    ...distillHandlers(encoders, kindNames, outputTo),
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
