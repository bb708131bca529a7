// Sparse encoders on the worker's side. Only modules with every encoder have them. A call can be cancelled between two batches.
import { type MoveOut, runTextWork } from '../model/worker-texts.ts';
import type { Handlers } from '../rpc/serve.ts';
import { toJson, unwrap } from '../runtime/worker-heap.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type {
  CoreModule,
  EncoderModel,
  EncoderModule,
  HeadsBindings,
  SparseJob,
  TextRows,
} from '../wasm/module.mjs';
import type { SparseOnlyCalls, SparseRows } from './protocol.ts';

export function sparseHandlers(
  runtime: WorkerRuntime<EncoderModule>,
  model: () => EncoderModel,
): Handlers<SparseOnlyCalls> {
  return {
    embedSparse: async ({ texts, settings, words }, context) => {
      const module = await runtime.wasm();
      const job = unwrap(module.beginTexts('sparse', model(), toJson(settings)));
      return runTextWork(module, job, {
        phase: 'embed',
        texts,
        context,
        take: (rows, moved) => sparseRowsOf(module, job, rows, { moved, words }),
      });
    },
  };
}

/** What a job that is done gives. */
export function sparseRowsOf(
  module: CoreModule & HeadsBindings,
  job: SparseJob,
  { rows, rowCounts }: TextRows,
  { moved, words }: { readonly moved: MoveOut; readonly words: boolean },
): SparseRows {
  return {
    counts: new Uint32Array(moved(rowCounts)),
    ids: new Uint32Array(moved(unwrap(module.rangeOf(job)))),
    weights: new Float32Array(moved(rows)),
    words: words ? unwrap(module.sparseWords(job)) : undefined,
  };
}
