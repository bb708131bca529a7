// The browser's worker entry for every call. A caller's `createWorker` starts this one.
import { customWasm } from '../runtime/worker-custom-wasm.ts';
import { WorkerRuntime } from '../runtime/worker-runtime.ts';
import { keptVectorsHandlers } from '../search/kept-vectors/worker.ts';
import { openOpfs } from '../search/kept-vectors/worker-opfs.ts';
import { cachingOpener } from '../sources/cache/open-cached.ts';
import { browserStore } from '../sources/cache/worker-stores.ts';
import { moduleAmbry } from '../wasm/module-ambry.ts';
import { allHandlers, type NodeCalls } from './all-handlers.ts';
import { serveWorker } from './serve.ts';

serveWorker<NodeCalls>((greeting) => {
  const openSource = cachingOpener(browserStore);
  const runtime = new WorkerRuntime(moduleAmbry, { openSource, customWasm: customWasm(greeting) });
  const handlers = allHandlers(runtime, { open: openSource, storeFor: browserStore });
  return { ...handlers, ...keptVectorsHandlers(openOpfs) };
});
