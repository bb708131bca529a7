// A browser's worker around one module of the package. It caches downloads where the caller asks for that.

import type { RunKind } from '../../model/kind.ts';
import type { OpenCalls } from '../../model/protocol.ts';
import { handlersFor, type ModelHandlers } from '../../model/worker-open.ts';
import { serveWorker } from '../../platform/worker-serve.ts';
import type { CallMap } from '../../rpc/protocol.ts';
import type { Handlers } from '../../rpc/serve.ts';
import { WorkerRuntime } from '../../runtime/worker-runtime.ts';
import { cachingOpener } from '../../sources/open-cached.ts';
import type { RangedSources } from '../../sources/ranged.ts';
import { browserStore } from '../../sources/worker-stores.ts';
import type { CoreModule, PackagedModule } from '../../wasm/module.mjs';

export function serveCaching<C extends CallMap<C>, M extends CoreModule>(
  packaged: PackagedModule<M>,
  makeHandlers: (runtime: WorkerRuntime<M>, sources: RangedSources) => Handlers<C>,
): void {
  serveWorker<C>(({ deterministic }) => {
    const open = cachingOpener(browserStore);
    const sharesMemory = globalThis.crossOriginIsolated;
    const runtime = new WorkerRuntime(packaged, { openSource: open, deterministic, sharesMemory });
    return makeHandlers(runtime, { open, storeFor: browserStore });
  });
}

/** Serves the models of one kind. */
export function serveModels<C extends CallMap<C> & OpenCalls, M extends CoreModule>(
  packaged: PackagedModule<M>,
  kind: RunKind,
  makeHandlers: (runtime: WorkerRuntime<M>, sources: RangedSources) => ModelHandlers<C>,
): void {
  serveCaching<C, M>(packaged, (runtime, sources) =>
    handlersFor(runtime, kind, makeHandlers(runtime, sources)),
  );
}
