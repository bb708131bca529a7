// The model of a worker, which serves one at a time.
import { requireOpen } from '../runtime/worker-open-check.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { ModelsByKind } from '../wasm/module.mjs';
import type { RunKind } from './kind.ts';
import { type LoadModule, type LoadOptions, loadModel, openedModel } from './worker-load.ts';
import type { Loader } from './worker-open.ts';

interface HeldModel<Model> {
  readonly loader: Loader;
  /** The model that was loaded. */
  readonly model: () => Model;
}

/** Loads whole files. */
export function holdModel<K extends RunKind & keyof ModelsByKind>(
  runtime: WorkerRuntime<LoadModule>,
  kind: K,
  how?: LoadOptions,
): HeldModel<ModelsByKind[K]> {
  let held: ModelsByKind[K] | undefined;
  return {
    model: () => requireOpen(held),
    loader: {
      prepare: () => runtime.wasm(),
      load: async (source, _, context) => {
        const module = await runtime.wasm();
        held = await loadModel(module, kind, source, context, how);
        return openedModel(module, kind, held);
      },
    },
  };
}
