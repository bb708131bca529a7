// A model of fastText, on the worker's side. Between two steps of a job, a cancel arrives.
import { AmbryError } from '../base/errors.ts';
import { holdModel } from '../model/worker-hold.ts';
import type { ModelHandlers } from '../model/worker-open.ts';
import { runTextWork } from '../model/worker-texts.ts';
import type { CallContext } from '../rpc/serve.ts';
import { toJson, unwrap } from '../runtime/worker-heap.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { TextClassifierModel, TextClassifierModule } from '../wasm/module.mjs';
import type { FastTextCalls, LabelledTexts } from './protocol.ts';

export function fastTextHandlers(
  runtime: WorkerRuntime<TextClassifierModule>,
): ModelHandlers<FastTextCalls> {
  const { loader, model } = holdModel(runtime, 'textClassifier', { mayStream: true });
  return {
    loader,
    handlers: {
      labelTexts: async (input, context) =>
        labelTexts(await runtime.wasm(), model(), input, context),
      tokenize: refuseTokens,
      countTokens: refuseTokens,
      detokenize: refuseTokens,
    },
  };
}

/** Text classifiers have these calls, but not all of them can answer. */
async function refuseTokens(): Promise<never> {
  const message = 'A model of fastText has no tokenizer: it splits texts at white space.';
  throw new AmbryError('Unsupported', message, { path: 'model' });
}

function labelTexts(
  module: TextClassifierModule,
  model: TextClassifierModel,
  { texts, settings }: FastTextCalls['labelTexts']['in'],
  context: CallContext,
): Promise<LabelledTexts> {
  const job = unwrap(module.beginTexts('predict', model, toJson(settings)));
  return runTextWork(module, job, {
    phase: 'score',
    texts,
    context,
    take: ({ rows, rowCounts }, moved) => ({
      counts: new Uint32Array(moved(rowCounts)),
      labels: new Uint32Array(moved(unwrap(module.rangeOf(job)))),
      scores: new Float32Array(moved(rows)),
    }),
  });
}
