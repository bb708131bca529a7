// Own vectors on the worker's side. A worker serves one index, or groups vectors, or maps them.
import { AmbryError } from '../../base/errors.ts';
import type { Handlers } from '../../rpc/serve.ts';
import { withEventLoop } from '../../runtime/worker-event-loop.ts';
import { copyOut, unwrap, using } from '../../runtime/worker-heap.ts';
import { requireOpen } from '../../runtime/worker-open-check.ts';
import type { WorkerRuntime } from '../../runtime/worker-runtime.ts';
import { openRanged, type RangedSources } from '../../sources/ranged.ts';
import type { VectorsModule } from '../../wasm/module.mjs';
import type { VectorCalls } from './protocol.ts';
import { checkMemory, VectorFile } from './worker-file.ts';
import { ListStore } from './worker-lists.ts';
import { appendAll, finish } from './worker-steps.ts';

export function vectorHandlers(
  runtime: WorkerRuntime<VectorsModule>,
  sources: RangedSources,
): Handlers<VectorCalls> {
  let index: ListStore | undefined;
  let file: VectorFile | undefined;

  return {
    createVectors: async ({ dim, int8 }) => {
      index = new ListStore(await runtime.wasm(), dim, int8);
      return null;
    },
    appendVectors: async ({ vectors }) => requireOpen(index).append(vectors),
    buildVectors: (settings, context) => requireOpen(index).build(settings, context),

    openVectorFile: async ({ source, memory }, context) => {
      checkMemory(memory);
      const module = await runtime.wasm();
      const ranged = await openRanged(source, { ...sources, signal: context.signal });
      file = await VectorFile.open(module, ranged, memory, context);
      return file.facts();
    },

    searchVectors: (input, context) => (file ?? requireOpen(index)).search(input, context),

    vectorOrder: async (_, context) => inMemory(index, file).order(context),
    writeVectors: async ({ header, ids }) => inMemory(index, file).write(header, ids),

    clusterVectors: async ({ vectors, dim, count }, { signal, report, transfer }) => {
      const module = await runtime.wasm();
      return using(module, unwrap(module.beginClusters(dim, count)), (job) =>
        withEventLoop(async (eventLoop) => {
          const turn = () => eventLoop.turn(signal);
          await appendAll(module, job, { vectors, dim, turn });
          await finish(module, job, { report, turn });
          const { centroids, members } = unwrap(module.clusters(job));
          const found = {
            centroids: new Float32Array(copyOut(module, centroids).buffer),
            members: new Uint32Array(copyOut(module, members).buffer),
          };
          transfer.push(found.centroids.buffer, found.members.buffer);
          return found;
        }),
      );
    },

    projectVectors: async ({ vectors, dim }, { signal, report, transfer }) => {
      const module = await runtime.wasm();
      return using(module, unwrap(module.beginMap(dim)), (job) =>
        withEventLoop(async (eventLoop) => {
          const turn = () => eventLoop.turn(signal);
          await appendAll(module, job, { vectors, dim, turn });
          await finish(module, job, { report, turn });
          const { buffer } = copyOut(module, unwrap(module.rangeOf(job)));
          transfer.push(buffer);
          return new Float32Array(buffer);
        }),
      );
    },
  };
}

function inMemory(index: ListStore | undefined, file: VectorFile | undefined): ListStore {
  if (!file) {
    return requireOpen(index);
  }
  throw new AmbryError('Unsupported', 'This index is read from a file already; copy the file.');
}
