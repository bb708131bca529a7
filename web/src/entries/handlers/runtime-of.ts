// The modules of a worker that has every call. Each is loaded with its first call, and has one runtime.
import { isOneModule } from '../../platform/custom-wasm.ts';
import type { Greeting } from '../../platform/types.ts';
import { customWasm, type ReadFile } from '../../runtime/worker-custom-wasm.ts';
import { type RuntimeOf, WorkerRuntime } from '../../runtime/worker-runtime.ts';
import type { OpenSource } from '../../sources/open-source.ts';
import type { CoreModule, PackagedModule } from '../../wasm/module.mjs';
import { moduleAmbry } from '../../wasm/module-ambry.ts';

/** `sharesMemory` says whether other workers may compute over the memory of this one. */
export function runtimesOf(
  greeting: Greeting,
  openSource: OpenSource,
  sharesMemory: boolean,
  readLocal?: ReadFile,
): RuntimeOf {
  const { deterministic } = greeting;
  const options = { openSource, customWasm: customWasm(greeting, readLocal), deterministic };
  if (isOneModule(greeting)) {
    // A module that the caller brings has everything, so it stands for each other one.
    const everything: unknown = new WorkerRuntime(moduleAmbry, options);
    return <M extends CoreModule>() => everything as WorkerRuntime<M>;
  }
  const made = new Map<unknown, WorkerRuntime<never>>();
  return <M extends CoreModule>(packaged: PackagedModule<M>) => {
    const known = made.get(packaged) as WorkerRuntime<M> | undefined;
    const runtime = known ?? new WorkerRuntime(packaged, { ...options, sharesMemory });
    made.set(packaged, runtime as WorkerRuntime<never>);
    return runtime;
  };
}
