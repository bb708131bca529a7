// A browser's worker around one module of the package. It caches downloads where the caller asks for that.

import type { RunKind } from '../../model/kind.ts';
import type { OpenCalls } from '../../model/protocol.ts';
import { handlersFor, type ModelHandlers } from '../../model/worker-open.ts';
import type { WorkerName } from '../../platform/platform.ts';
import type { Greeting } from '../../platform/types.ts';
import { serveWorker } from '../../platform/worker-serve.ts';
import type { CallMap } from '../../rpc/protocol.ts';
import type { Handlers } from '../../rpc/serve.ts';
import { WorkerRuntime } from '../../runtime/worker-runtime.ts';
import { cachingOpener } from '../../sources/open-cached.ts';
import type { RangedSources } from '../../sources/ranged.ts';
import { browserStore } from '../../sources/worker-stores.ts';
import type { CoreModule, PackagedModule } from '../../wasm/module.mjs';

type MakeHandlers<C extends CallMap<C>> = (greeting: Greeting) => Handlers<C>;

/** Makes the calls of a worker around one module. */
export function caching<C extends CallMap<C>, M extends CoreModule>(
  packaged: PackagedModule<M>,
  makeHandlers: (runtime: WorkerRuntime<M>, sources: RangedSources) => Handlers<C>,
): MakeHandlers<C> {
  return ({ deterministic }) => {
    const open = cachingOpener(browserStore);
    const sharesMemory = globalThis.crossOriginIsolated;
    const runtime = new WorkerRuntime(packaged, { openSource: open, deterministic, sharesMemory });
    return makeHandlers(runtime, { open, storeFor: browserStore });
  };
}

export function serveCaching<C extends CallMap<C>, M extends CoreModule>(
  packaged: PackagedModule<M>,
  makeHandlers: (runtime: WorkerRuntime<M>, sources: RangedSources) => Handlers<C>,
): void {
  serveWorker<C>(caching(packaged, makeHandlers));
}

/** Serves one of several workers: the one that the greeting names. The first one stands for workers that it can take the place
 *  of, as that of conversions also inspects (entries/browser.ts). */
export function serveNamed<N extends WorkerName, C extends CallMap<C>>(
  workers: Readonly<Record<N, MakeHandlers<C>>>,
): void {
  const [first] = Object.values<MakeHandlers<C>>(workers);
  serveWorker<C>((greeting) => {
    const named: MakeHandlers<C> | undefined = workers[greeting.worker as N] ?? first;
    return named?.(greeting) as Handlers<C>;
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
