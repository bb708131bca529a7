// The modules of a worker that has every call. Encoders and models that generate text run in modules whose memory several
// workers can share, where the engine allows that and the caller brings no WebAssembly.
import { isCustom } from '../runtime/custom-wasm.ts';
import type { Greeting } from '../runtime/types.ts';
import { customWasm, type ReadFile } from '../runtime/worker-custom-wasm.ts';
import { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { OpenSource } from '../sources/open-source.ts';
import type { AmbryModule, EncodeModule, GenerateModule } from '../wasm/module.mjs';
import { moduleAmbry } from '../wasm/module-ambry.ts';
import { moduleEncodeShared } from '../wasm/module-encode-shared.ts';
import { moduleGenerateShared } from '../wasm/module-generate-shared.ts';

export interface AllRuntimes {
  readonly runtime: WorkerRuntime<AmbryModule>;
  readonly encoders: WorkerRuntime<EncodeModule>;
  readonly generators: WorkerRuntime<GenerateModule>;
}

export function allRuntimes(
  greeting: Greeting,
  openSource: OpenSource,
  readLocal?: ReadFile,
): AllRuntimes {
  const options = { openSource, customWasm: customWasm(greeting, readLocal) };
  const runtime = new WorkerRuntime(moduleAmbry, options);
  const canShare = typeof SharedArrayBuffer !== 'undefined' && !isCustom(greeting);
  if (!canShare) return { runtime, encoders: runtime, generators: runtime };
  return {
    runtime,
    encoders: new WorkerRuntime(moduleEncodeShared, options),
    generators: new WorkerRuntime(moduleGenerateShared, options),
  };
}
