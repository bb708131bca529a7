// Embedding: all texts go in, the batches run one by one, and all rows come out. Between two batches a cancel is
// heard.
import type { Embedded, EmbedInput } from '../model/embedding.ts';
import { embeddedOut } from '../model/worker-embedded.ts';
import type { CallContext } from '../rpc/serve.ts';
import { runSteps } from '../runtime/worker-event-loop.ts';
import { encode, unwrap, using } from '../runtime/worker-heap.ts';
import type {
  CoreModule,
  EmbeddedRows,
  EncoderSession,
  EncoderSmallModule,
  Handle,
  OutcomeText,
} from '../wasm/module.mjs';

/** The calls of a job that has begun: a text, the start, some steps, the rows. */
type EmbedJobCalls<J> = readonly [
  (job: J, text: Uint8Array) => OutcomeText<null>,
  (job: J) => OutcomeText<null>,
  (job: J) => OutcomeText<{ done: boolean; doneTexts: number }>,
  (job: J) => OutcomeText<EmbeddedRows>,
];

export function embed(
  module: EncoderSmallModule,
  session: EncoderSession,
  { texts, settings }: EmbedInput,
  context: CallContext,
): Promise<Embedded> {
  const job = unwrap(module.beginEmbed(session, JSON.stringify(settings)));
  const { addText, startEmbed, stepEmbed, embedded } = module;
  return runEmbedJob(module, job, [addText, startEmbed, stepEmbed, embedded], texts, context);
}

/** Ends the job. */
export function runEmbedJob<J extends Handle>(
  module: CoreModule,
  job: J,
  [add, start, step, rows]: EmbedJobCalls<J>,
  texts: readonly string[],
  context: CallContext,
): Promise<Embedded> {
  return using(module, job, async () => {
    for (const text of texts) {
      unwrap(add(job, encode(text)));
    }
    unwrap(start(job));
    await runSteps(
      () => unwrap(step(job)),
      context.signal,
      (loaded) => context.report({ phase: 'embed', loaded, total: texts.length, cached: false }),
    );
    return embeddedOut(module, unwrap(rows(job)), context);
  });
}
