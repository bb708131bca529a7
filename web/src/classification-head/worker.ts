// Scoring on the worker's side: all texts go in, the batches run one by one, and all logits come out. Between two batches
// a call can be cancelled. The worker of encoders has these calls, because a head belongs to an encoder.
import { runTexts } from '../model/worker-texts.ts';
import type { CallContext, Handlers } from '../rpc/serve.ts';
import { copyOut, encode, toJson, unwrap, using } from '../runtime/worker-heap.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { EncoderModel, EncoderSmallModule, ScoreJob } from '../wasm/module.mjs';
import type { Logits, ScoreCalls, ScoreInput } from './protocol.ts';

export function scoreHandlers(
  runtime: WorkerRuntime<EncoderSmallModule>,
  model: () => EncoderModel,
): Handlers<ScoreCalls> {
  return {
    score: async (input, context) => score(await runtime.wasm(), model(), input, context),
  };
}

function score(
  module: EncoderSmallModule,
  model: EncoderModel,
  { inputs, settings }: ScoreInput,
  context: CallContext,
): Promise<Logits> {
  const begun = unwrap(module.beginScore(model, toJson(settings)));
  return using(module, begun, async (job) => {
    for (const input of inputs) {
      add(module, job, input);
    }
    const report = (loaded: number) =>
      context.report({ phase: 'score', loaded, total: inputs.length, cached: false });
    await runTexts(module, job, [], { signal: context.signal, report });
    const logits = new Float32Array(copyOut(module, unwrap(module.rowsOfTexts(job)).rows).buffer);
    context.transfer.push(logits.buffer);
    return logits;
  });
}

function add(module: EncoderSmallModule, job: ScoreJob, input: ScoreInput['inputs'][number]): void {
  if (typeof input === 'string') {
    unwrap(module.addText(job, encode(input)));
  } else {
    unwrap(module.addScorePair(job, encode(input[0]), encode(input[1])));
  }
}
