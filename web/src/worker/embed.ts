// Embedding: all texts go in, then batch by batch with a breath between, then all rows come out.
import type { Embedded, EmbedSettings } from '../rpc/protocol.ts';
import type { CallContext } from '../rpc/serve.ts';
import type { AmbryModule, EmbedJob, EncoderSession } from '../wasm/ambry.mjs';
import { withBreath } from './breath.ts';
import { copyOut, unwrap, using } from './heap.ts';

export function embed(
  module: AmbryModule,
  session: EncoderSession,
  texts: readonly string[],
  settings: EmbedSettings,
  context: CallContext,
): Promise<Embedded> {
  return using(unwrap(session.beginEmbed(JSON.stringify(settings))), async (job) => {
    // Lone surrogates become U+FFFD here, as they do in Hugging Face's tokenizers.
    const encoder = new TextEncoder();
    for (const text of texts) job.add(encoder.encode(text));
    unwrap(job.start());
    await runBatches(job, texts.length, context);
    const vectors = new Float32Array(copyOut(module, job.result()).buffer);
    const rowCounts = new Uint32Array(copyOut(module, job.rowCounts()).buffer);
    context.transfer.push(vectors.buffer, rowCounts.buffer);
    return { vectors, dim: job.dim(), rowCounts };
  });
}

function runBatches(job: EmbedJob, total: number, { signal, report }: CallContext): Promise<void> {
  return withBreath(async (breath) => {
    for (let done = false; !done; ) {
      await breath.take(signal);
      done = unwrap(job.step());
      report({ phase: 'embed', loaded: job.doneTexts(), total, cached: false });
    }
  });
}
