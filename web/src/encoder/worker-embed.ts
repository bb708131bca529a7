// Embedding: all texts go in, then batch by batch with a breath between, then all rows come out.
import type { Embedded, EmbedSettings } from '../rpc/protocol.ts';
import type { CallContext } from '../rpc/serve.ts';
import { withBreath } from '../runtime/worker-breath.ts';
import { embeddedOut } from '../runtime/worker-embedded.ts';
import { encode, unwrap, using } from '../runtime/worker-heap.ts';
import type { EmbedJob, EncoderSession, RunModule } from '../wasm/ambry.mjs';

export function embed(
  module: RunModule,
  session: EncoderSession,
  texts: readonly string[],
  settings: EmbedSettings,
  context: CallContext,
): Promise<Embedded> {
  const begun = unwrap(module.beginEmbed(session, JSON.stringify(settings)));
  return using(module, begun, (job) =>
    withBreath(async (breath) => {
      giveTexts(module, job, texts);
      for (let isDone = false; !isDone; ) {
        await breath.take(context.signal);
        const { done, doneTexts: loaded } = unwrap(module.stepEmbed(job));
        context.report({ phase: 'embed', loaded, total: texts.length, cached: false });
        isDone = done;
      }
      return embeddedOut(module, unwrap(module.embedded(job)), context);
    }),
  );
}

/** Its batches are planned then. */
export function giveTexts(module: RunModule, job: EmbedJob, texts: readonly string[]): void {
  for (const text of texts) unwrap(module.addText(job, encode(text)));
  unwrap(module.startEmbed(job));
}
