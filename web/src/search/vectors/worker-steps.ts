// Work of the core on vectors: they go in, a part at a time, and then it takes its steps.
import type { CallContext } from '../../rpc/serve.ts';
import { bytesOf, unwrap } from '../../runtime/worker-heap.ts';
import type { VectorJob, VectorsModule } from '../../wasm/module.mjs';

/** Numbers that are given to the core at a time. */
const numbersAtOnce = 1 << 20;

/** Lets a cancel arrive. */
type Turn = () => Promise<void>;

export async function appendAll(
  module: VectorsModule,
  job: VectorJob,
  { vectors, dim, turn }: { vectors: Float32Array; dim: number; turn: Turn },
): Promise<void> {
  const perCall = Math.max(1, Math.floor(numbersAtOnce / dim)) * dim;
  for (let at = 0; at < vectors.length; at += perCall) {
    await turn();
    unwrap(module.appendVectors(job, bytesOf(vectors.subarray(at, at + perCall))));
  }
}

export async function finish(
  module: VectorsModule,
  job: VectorJob,
  { report, turn }: { report: CallContext['report']; turn: Turn },
): Promise<void> {
  for (let isDone = false; !isDone; ) {
    await turn();
    const { done, progress } = unwrap(module.stepVectors(job));
    report({ phase: 'train', loaded: progress, total: 1000, cached: false });
    isDone = done;
  }
}
