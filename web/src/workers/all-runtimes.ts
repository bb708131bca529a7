// The modules of a worker that has every call. Each is loaded with its first call.
import { isCustom } from '../runtime/custom-wasm.ts';
import type { Greeting } from '../runtime/types.ts';
import { customWasm, type ReadFile } from '../runtime/worker-custom-wasm.ts';
import { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { OpenSource } from '../sources/open-source.ts';
import type {
  AmbryModule,
  ClassifyModule,
  ConvertModule,
  CoreModule,
  EncodeModule,
  GenerateModule,
  InspectModule,
  PackagedModule,
  PredictModule,
  StaticModule,
  TokenizeModule,
  VectorsModule,
  WordsModule,
} from '../wasm/module.mjs';
import { moduleAmbry } from '../wasm/module-ambry.ts';
import { moduleClassify } from '../wasm/module-classify.ts';
import { moduleConvert } from '../wasm/module-convert.ts';
import { moduleEncode } from '../wasm/module-encode.ts';
import { moduleGenerate } from '../wasm/module-generate.ts';
import { moduleInspect } from '../wasm/module-inspect.ts';
import { modulePredict } from '../wasm/module-predict.ts';
import { moduleStaticAll } from '../wasm/module-static-all.ts';
import { moduleTokenize } from '../wasm/module-tokenize.ts';
import { moduleVectors } from '../wasm/module-vectors.ts';
import { moduleWords } from '../wasm/module-words.ts';

export interface AllRuntimes {
  readonly encoders: WorkerRuntime<EncodeModule>;
  readonly staticEncoders: WorkerRuntime<StaticModule>;
  readonly vectors: WorkerRuntime<VectorsModule>;
  readonly words: WorkerRuntime<WordsModule>;
  readonly classifiers: WorkerRuntime<ClassifyModule>;
  readonly textClassifiers: WorkerRuntime<PredictModule>;
  readonly generators: WorkerRuntime<GenerateModule>;
  readonly tokenizers: WorkerRuntime<TokenizeModule>;
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
    encoders: runtime(moduleEncode),
    staticEncoders: runtime(moduleStaticAll),
    vectors: runtime(moduleVectors),
    words: runtime(moduleWords),
    classifiers: runtime(moduleClassify),
    textClassifiers: runtime(modulePredict),
    generators: runtime(moduleGenerate),
    tokenizers: runtime(moduleTokenize),
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
