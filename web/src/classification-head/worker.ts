// Scoring on the worker's side: all texts go in, the batches run one by one, and all logits come out. Between two batches
// a call can be cancelled. The worker of encoders has these calls, because a head belongs to an encoder.
import { runTextWork, type TextWork } from '../model/worker-texts.ts';
import type { Handlers } from '../rpc/serve.ts';
import { encode, toJson, unwrap } from '../runtime/worker-heap.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { EncoderModel, EncoderSmallModule, TextJob } from '../wasm/module.mjs';
import type { ScoreCalls, ScoreInput } from './protocol.ts';

export function scoreHandlers(
  runtime: WorkerRuntime<EncoderSmallModule>,
  model: () => EncoderModel,
): Handlers<ScoreCalls> {
  return {
    score: async ({ inputs, settings }, context) => {
      const module = await runtime.wasm();
      const job = unwrap(module.beginTexts('score', model(), toJson(settings)));
      return scoreInputs(module, job, inputs, {
        context,
        take: ({ rows }, moved) => new Float32Array(moved(rows)),
      });
    },
  };
}

/** Runs a job over texts and pairs of texts, and ends it. */
export function scoreInputs<T>(
  module: EncoderSmallModule,
  job: TextJob,
  inputs: ScoreInput['inputs'],
  work: Pick<TextWork<T>, 'context' | 'take'>,
): Promise<T> {
  const add = () => {
    for (const input of inputs) {
      if (typeof input === 'string') {
        unwrap(module.addText(job, encode(input)));
      } else {
        unwrap(module.addPair(job, encode(input[0]), encode(input[1])));
      }
    }
    return inputs.length;
  };
  return runTextWork(module, job, { phase: 'score', texts: [], add, ...work });
}
