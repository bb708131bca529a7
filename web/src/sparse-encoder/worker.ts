// Sparse encoders on the worker's side. Only modules with every encoder have them. A call can be cancelled between two batches.
import { runTexts, type TextsModule } from '../model/worker-texts.ts';
import type { CallContext, Handlers } from '../rpc/serve.ts';
import { copyOut, toJson, unwrap, using } from '../runtime/worker-heap.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { EncoderModel, HeadsBindings, HeapRange, SparseJob } from '../wasm/module.mjs';
import type { SparseInput, SparseOnlyCalls, SparseRows } from './protocol.ts';

type HeadsModule = TextsModule & HeadsBindings;

export function sparseHandlers(
  runtime: WorkerRuntime<HeadsModule>,
  model: () => EncoderModel,
): Handlers<SparseOnlyCalls> {
  return {
    embedSparse: async (input, context) =>
      embedSparse(await runtime.wasm(), model(), input, context),
  };
}

function embedSparse(
  module: HeadsModule,
  model: EncoderModel,
  { texts, settings, words }: SparseInput,
  context: CallContext,
): Promise<SparseRows> {
  const { signal } = context;
  const begun = unwrap(module.beginSparse(model, toJson(settings)));
  return using(module, begun, async (job) => {
    const report = (loaded: number) =>
      context.report({ phase: 'embed', loaded, total: texts.length, cached: false });
    await runTexts(module, job, texts, { signal, report });
    return sparseRowsOut(module, job, words, context);
  });
}

/** What a job that is done gives, copied out of the heap and moved to the page. */
export function sparseRowsOut(
  module: HeadsModule,
  job: SparseJob,
  words: boolean,
  { transfer }: CallContext,
): SparseRows {
  const copied = (range: HeapRange) => {
    const { buffer } = copyOut(module, range);
    transfer.push(buffer);
    return buffer;
  };
  const { rows, rowCounts } = unwrap(module.rowsOfTexts(job));
  return {
    counts: new Uint32Array(copied(rowCounts)),
    ids: new Uint32Array(copied(unwrap(module.sparseIds(job)))),
    weights: new Float32Array(copied(rows)),
    words: words ? unwrap(module.sparseWords(job)) : undefined,
  };
}
