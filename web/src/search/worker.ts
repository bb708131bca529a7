// A search index on the worker's side. A worker serves one index.
import type { Handlers } from '../rpc/serve.ts';
import { requireOpen } from '../runtime/worker-open-check.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { CoreModule, IndexBindings } from '../wasm/module.mjs';
import type { IndexCalls } from './protocol.ts';
import { IndexStore } from './worker-index-store.ts';

export function indexHandlers(
  runtime: WorkerRuntime<CoreModule & IndexBindings>,
): Handlers<IndexCalls> {
  let index: IndexStore | undefined;

  return {
    createIndex: async ({ dim, int8 }) => {
      index = IndexStore.create(await runtime.wasm(), dim, int8);
      return null;
    },

    readIndex: ({ source: wire }, context) =>
      runtime.withSource(wire, context, async (module, source) => {
        index = await IndexStore.read(module, source);
        return index.facts(context);
      }),

    appendRows: async ({ rows }) => requireOpen(index).append(rows),
    retainRows: async ({ marks }) => requireOpen(index).retain(marks),
    searchRows: async (input) => requireOpen(index).search(input),
    writeIndex: async ({ header }) => requireOpen(index).write(header),
  };
}
