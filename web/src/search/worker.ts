// A search index on the worker's side. A worker serves one index.
import type { Handlers } from '../rpc/serve.ts';
import { requireOpen } from '../runtime/worker-open-check.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { CoreModule, IndexBindings } from '../wasm/module.mjs';
import type { IndexCalls } from './base/protocol.ts';
import { type IndexStores, type OpenIndex, rowIndex } from './worker-index-store.ts';

export function indexHandlers<M extends CoreModule & IndexBindings>(
  runtime: WorkerRuntime<M>,
  stores: IndexStores<M> = rowIndex,
): Handlers<IndexCalls> {
  let index: OpenIndex | undefined;

  return {
    createIndex: async (form) => {
      index = stores.create(await runtime.wasm(), form);
      return null;
    },

    readIndex: ({ source: wire }, context) =>
      runtime.withSource(wire, context, async (module, source) => {
        index = await stores.read(module, source);
        return index.facts(context);
      }),

    appendRows: async (part) => requireOpen(index).append(part),
    retainRows: async ({ marks }) => requireOpen(index).retain(marks),
    searchRows: async (input) => requireOpen(index).search(input),
    writeIndex: async ({ header }) => requireOpen(index).write(header),
  };
}
