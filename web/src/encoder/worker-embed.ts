// Embedding: all texts go in, the batches run one by one, and all rows come out. Between two batches a cancel is
// heard.
import type { Embedded, EmbedInput } from '../model/embedding.ts';
import { embeddedOut } from '../model/worker-embedded.ts';
import type { CallContext } from '../rpc/serve.ts';
import { withEventLoop } from '../runtime/worker-event-loop.ts';
import { encode, unwrap, using } from '../runtime/worker-heap.ts';
import type { EncoderSession, RunModule } from '../wasm/module.mjs';

export function embed(
  module: RunModule,
  session: EncoderSession,
  { texts, settings }: EmbedInput,
  context: CallContext,
): Promise<Embedded> {
  const begun = unwrap(module.beginEmbed(session, JSON.stringify(settings)));
  return using(module, begun, (job) =>
    withEventLoop(async (eventLoop) => {
      for (const text of texts) unwrap(module.addText(job, encode(text)));
      unwrap(module.startEmbed(job));
      for (let isDone = false; !isDone; ) {
        await eventLoop.turn(context.signal);
        const { done, doneTexts: loaded } = unwrap(module.stepEmbed(job));
        context.report({ phase: 'embed', loaded, total: texts.length, cached: false });
        isDone = done;
      }
      return embeddedOut(module, unwrap(module.embedded(job)), context);
    }),
  );
}
