// A classifier of texts, on the worker's side. Between two steps of a job, a cancel arrives.
import { holdModel } from '../model/worker-hold.ts';
import type { ModelHandlers } from '../model/worker-open.ts';
import { runTexts } from '../model/worker-texts.ts';
import type { CallContext } from '../rpc/serve.ts';
import { copyOut, toJson, unwrap, using } from '../runtime/worker-heap.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type {
  HeapRange,
  PredictJob,
  TextClassifierModel,
  TextClassifierModule,
} from '../wasm/module.mjs';
import type { Predicted, TextClassifierCalls } from './protocol.ts';

export function textClassifierHandlers(
  runtime: WorkerRuntime<TextClassifierModule>,
): ModelHandlers<TextClassifierCalls> {
  const { loader, model } = holdModel(runtime, 'textClassifier', { mayStream: true });
  return {
    loader,
    handlers: {
      predict: async (input, context) => predict(await runtime.wasm(), model(), input, context),
    },
  };
}

function predict(
  module: TextClassifierModule,
  model: TextClassifierModel,
  { texts, settings }: TextClassifierCalls['predict']['in'],
  context: CallContext,
): Promise<Predicted> {
  const begun = unwrap(module.beginPredict(model, toJson(settings)));
  return using(module, begun, async (job) => {
    const report = (loaded: number) =>
      context.report({ phase: 'predict', loaded, total: texts.length, cached: false });
    await runTexts(module, job, texts, { signal: context.signal, report });
    return predicted(module, job, context);
  });
}

function predicted(
  module: TextClassifierModule,
  job: PredictJob,
  { transfer }: CallContext,
): Predicted {
  const { rows, rowCounts } = unwrap(module.rowsOfTexts(job));
  const copied = (range: HeapRange) => copyOut(module, range).buffer;
  const all = {
    counts: new Uint32Array(copied(rowCounts)),
    labels: new Uint32Array(copied(unwrap(module.predictedLabels(job)))),
    probabilities: new Float32Array(copied(rows)),
  };
  transfer.push(all.counts.buffer, all.labels.buffer, all.probabilities.buffer);
  return all;
}
