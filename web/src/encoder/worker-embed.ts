// Embedding: all texts go in, the batches run one by one, and all rows come out. Between two batches a cancel is
// heard.
import type { Embedded, EmbedInput } from '../model/embedding.ts';
import { embeddedOut } from '../model/worker-embedded.ts';
import type { CallContext } from '../rpc/serve.ts';
import { withEventLoop } from '../runtime/worker-event-loop.ts';
import { encode, unwrap, using } from '../runtime/worker-heap.ts';
import type {
  CoreModule,
  EmbeddedRows,
  EncoderSession,
  OutcomeText,
  RunModule,
} from '../wasm/module.mjs';

/** The calls of a job that has begun. */
interface EmbedJobCalls {
  add(text: Uint8Array): OutcomeText<null>;
  start(): OutcomeText<null>;
  step(): OutcomeText<{ done: boolean; doneTexts: number }>;
  rows(): OutcomeText<EmbeddedRows>;
}

export function embed(
  module: RunModule,
  session: EncoderSession,
  { texts, settings }: EmbedInput,
  context: CallContext,
): Promise<Embedded> {
  const job = unwrap(module.beginEmbed(session, JSON.stringify(settings)));
  const calls = {
    add: (text: Uint8Array) => module.addText(job, text),
    start: () => module.startEmbed(job),
    step: () => module.stepEmbed(job),
    rows: () => module.embedded(job),
  };
  return using(module, job, () => runEmbedJob(module, calls, texts, context));
}

export function runEmbedJob(
  module: CoreModule,
  job: EmbedJobCalls,
  texts: readonly string[],
  context: CallContext,
): Promise<Embedded> {
  return withEventLoop(async (eventLoop) => {
    for (const text of texts) unwrap(job.add(encode(text)));
    unwrap(job.start());
    for (let isDone = false; !isDone; ) {
      await eventLoop.turn(context.signal);
      const { done, doneTexts: loaded } = unwrap(job.step());
      context.report({ phase: 'embed', loaded, total: texts.length, cached: false });
      isDone = done;
    }
    return embeddedOut(module, unwrap(job.rows()), context);
  });
}
