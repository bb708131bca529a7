// Own vectors on the worker's side. A worker serves one index, or groups vectors.
import { AmbryError } from '../../errors.ts';
import type { Handlers } from '../../rpc/serve.ts';
import { withEventLoop } from '../../runtime/worker-event-loop.ts';
import { bytesOf, copyOut, unwrap, using } from '../../runtime/worker-heap.ts';
import { requireOpen } from '../../runtime/worker-open-check.ts';
import type { WorkerRuntime } from '../../runtime/worker-runtime.ts';
import { openRanged, type RangedSources } from '../../sources/ranged.ts';
import type { VectorsModule } from '../../wasm/module.mjs';
import type { VectorCalls } from './protocol.ts';
import { checkMemory, VectorFile } from './worker-file.ts';
import { ListStore } from './worker-lists.ts';

/** Numbers that are given to the core at a time. */
const numbersAtOnce = 1 << 20;

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
          const perCall = Math.max(1, Math.floor(numbersAtOnce / dim)) * dim;
          for (let at = 0; at < vectors.length; at += perCall) {
            await eventLoop.turn(signal);
            unwrap(module.appendToClusters(job, bytesOf(vectors.subarray(at, at + perCall))));
          }
          for (let isDone = false; !isDone; ) {
            await eventLoop.turn(signal);
            const { done, progress } = unwrap(module.stepClusters(job));
            report({ phase: 'train', loaded: progress, total: 1000, cached: false });
            isDone = done;
          }
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
  };
}

function inMemory(index: ListStore | undefined, file: VectorFile | undefined): ListStore {
  if (!file) return requireOpen(index);
  throw new AmbryError('Unsupported', 'This index is read from a file already; copy the file.');
}
