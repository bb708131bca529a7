// The modules of a worker that has every call. Each is loaded with its first call.
import { isCustom } from '../../platform/custom-wasm.ts';
import type { Greeting } from '../../platform/types.ts';
import { customWasm, type ReadFile } from '../../runtime/worker-custom-wasm.ts';
import { WorkerRuntime } from '../../runtime/worker-runtime.ts';
import type { OpenSource } from '../../sources/open-source.ts';
import type {
  AmbryModule,
  ConvertModule,
  CoreModule,
  EncoderModule,
  GeneratorModule,
  ImageClassifierModule,
  InspectModule,
  PackagedModule,
  StaticModule,
  TextClassifierModule,
  TokenizerModule,
  VectorsModule,
  WordsModule,
} from '../../wasm/module.mjs';
import { moduleAmbry } from '../../wasm/module-ambry.ts';
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

export interface AllRuntimes {
  readonly encoders: WorkerRuntime<EncoderModule>;
  readonly staticEncoders: WorkerRuntime<StaticModule>;
  readonly vectors: WorkerRuntime<VectorsModule>;
  readonly words: WorkerRuntime<WordsModule>;
  readonly classifiers: WorkerRuntime<ImageClassifierModule>;
  readonly textClassifiers: WorkerRuntime<TextClassifierModule>;
  readonly generators: WorkerRuntime<GeneratorModule>;
  readonly tokenizers: WorkerRuntime<TokenizerModule>;
  readonly inspectors: WorkerRuntime<InspectModule>;
  readonly converters: WorkerRuntime<ConvertModule>;
}

/** WebAssembly that the caller brings has everything. `sharesMemory` says whether other workers may compute over the memory
 *  of this one. */
export function allRuntimes(
  greeting: Greeting,
  openSource: OpenSource,
  sharesMemory: boolean,
  readLocal?: ReadFile,
): AllRuntimes {
  const { deterministic } = greeting;
  const options = { openSource, customWasm: customWasm(greeting, readLocal), deterministic };
  if (isCustom(greeting)) {
    return everywhere(new WorkerRuntime(moduleAmbry, options));
  }
  const runtime = <M extends CoreModule>(packaged: PackagedModule<M>) =>
    new WorkerRuntime(packaged, { ...options, sharesMemory });
  return {
    encoders: runtime(moduleEncoder),
    staticEncoders: runtime(moduleStatic),
    vectors: runtime(moduleVectors),
    words: runtime(moduleWords),
    classifiers: runtime(moduleImageClassifier),
    textClassifiers: runtime(moduleTextClassifier),
    generators: runtime(moduleGenerator),
    tokenizers: runtime(moduleTokenizer),
    inspectors: runtime(moduleInspect),
    converters: runtime(moduleConvert),
  };
}

function everywhere(runtime: WorkerRuntime<AmbryModule>): AllRuntimes {
  return {
    encoders: runtime,
    staticEncoders: runtime,
    vectors: runtime,
    words: runtime,
    classifiers: runtime,
    textClassifiers: runtime,
    generators: runtime,
    tokenizers: runtime,
    inspectors: runtime,
    converters: runtime,
  };
}
