// Own vectors on the worker's side. A worker serves one index, or groups vectors, or maps them.
import { AmbryError } from '../../base/errors.ts';
import type { CallContext, Handlers } from '../../rpc/serve.ts';
import { withEventLoop } from '../../runtime/worker-event-loop.ts';
import { bytesOf, copyOut, unwrap, using } from '../../runtime/worker-heap.ts';
import { requireOpen } from '../../runtime/worker-open-check.ts';
import type { WorkerRuntime } from '../../runtime/worker-runtime.ts';
import { openRanged, type RangedSources } from '../../sources/ranged.ts';
import type { OutcomeText, VectorsModule } from '../../wasm/module.mjs';
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
          const turn = () => eventLoop.turn(signal);
          await appendAll(vectors, dim, turn, (part) => module.appendToClusters(job, part));
          await finish(report, turn, () => module.stepClusters(job));
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
          await appendAll(vectors, dim, turn, (part) => module.appendToMap(job, part));
          await finish(report, turn, () => module.stepMap(job));
          const { buffer } = copyOut(module, unwrap(module.rangeOf(job)));
          transfer.push(buffer);
          return new Float32Array(buffer);
        }),
      );
    },
  };
}

/** Gives vectors to the core, a part at a time. */
async function appendAll(
  vectors: Float32Array,
  dim: number,
  turn: () => Promise<void>,
  append: (part: Uint8Array) => OutcomeText<number>,
): Promise<void> {
  const perCall = Math.max(1, Math.floor(numbersAtOnce / dim)) * dim;
  for (let at = 0; at < vectors.length; at += perCall) {
    await turn();
    unwrap(append(bytesOf(vectors.subarray(at, at + perCall))));
  }
}

/** Takes the steps of a work. */
async function finish(
  report: CallContext['report'],
  turn: () => Promise<void>,
  step: () => OutcomeText<{ done: boolean; progress: number }>,
): Promise<void> {
  for (let isDone = false; !isDone; ) {
    await turn();
    const { done, progress } = unwrap(step());
    report({ phase: 'train', loaded: progress, total: 1000, cached: false });
    isDone = done;
  }
}

function inMemory(index: ListStore | undefined, file: VectorFile | undefined): ListStore {
  if (!file) {
    return requireOpen(index);
  }
  throw new AmbryError('Unsupported', 'This index is read from a file already; copy the file.');
}
