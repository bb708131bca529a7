// Embedding: all texts go in, then batch by batch with a breath between, then all rows come out.
import type { Embedded, EmbedSettings } from '../rpc/protocol.ts';
import type { CallContext } from '../rpc/serve.ts';
import type { EmbedJob, EncoderSession, RunModule } from '../wasm/ambry.mjs';
import { withBreath } from './breath.ts';
import { copyOut, unwrap, using } from './heap.ts';

export function embed(
  module: RunModule,
  session: EncoderSession,
  texts: readonly string[],
  settings: EmbedSettings,
  context: CallContext,
): Promise<Embedded> {
  const begun = unwrap(module.beginEmbed(session, JSON.stringify(settings)));
  return using(module, begun, async (job) => {
    // Lone surrogates become U+FFFD here, as they do in Hugging Face's tokenizers.
    const encoder = new TextEncoder();
    for (const text of texts) unwrap(module.addText(job, encoder.encode(text)));
    unwrap(module.startEmbed(job));
    await runBatches(module, job, texts.length, context);
    const { dim, ...ranges } = unwrap(module.embedded(job));
    const vectors = new Float32Array(copyOut(module, ranges.rows).buffer);
    const rowCounts = new Uint32Array(copyOut(module, ranges.rowCounts).buffer);
    context.transfer.push(vectors.buffer, rowCounts.buffer);
    return { vectors, dim, rowCounts };
  });
}

function runBatches(
  module: RunModule,
  job: EmbedJob,
  total: number,
  { signal, report }: CallContext,
): Promise<void> {
  return withBreath(async (breath) => {
    for (let done = false; !done; ) {
      await breath.take(signal);
      const step = unwrap(module.stepEmbed(job));
      done = step.done;
      report({ phase: 'embed', loaded: step.doneTexts, total, cached: false });
    }
  });
}
