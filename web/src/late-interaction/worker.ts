// Late interaction on the worker's side. Only modules with every encoder have it. A call can be cancelled between two batches.
import type { Embedded } from '../model/embedding.ts';
import { embedTexts, runTexts, type TextsModule } from '../model/worker-texts.ts';
import type { CallContext, Handlers } from '../rpc/serve.ts';
import { copyOut, toJson, unwrap, using } from '../runtime/worker-heap.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { EncoderModel, LateBindings } from '../wasm/module.mjs';
import type { LateCalls, RankInput, TokensInput } from './protocol.ts';

type LateModule = TextsModule & LateBindings;

/** The vectors of so many documents are held at a time. */
const documentsAtATime = 128;

export function lateHandlers(
  runtime: WorkerRuntime<LateModule>,
  model: () => EncoderModel,
): Handlers<LateCalls> {
  return {
    embedTokens: async (input, context) =>
      embedTokens(await runtime.wasm(), model(), input, context),
    rankTokens: async (input, context) => rank(await runtime.wasm(), model(), input, context),
  };
}

function embedTokens(
  module: LateModule,
  model: EncoderModel,
  { texts, settings }: TokensInput,
  context: CallContext,
): Promise<Embedded> {
  const job = unwrap(module.beginTexts('tokens', model, toJson(settings)));
  return embedTexts(module, job, texts, context);
}

function rank(
  module: LateModule,
  model: EncoderModel,
  { query, documents, settings }: RankInput,
  context: CallContext,
): Promise<Float32Array<ArrayBuffer>> {
  const begin = (more: object) =>
    unwrap(module.beginTexts('tokens', model, toJson({ ...settings, ...more })));
  const { signal } = context;
  const scores = new Float32Array(documents.length);
  context.transfer.push(scores.buffer);
  return using(module, begin({ as: 'query', list: 'query' }), async (asked) => {
    await runTexts(module, asked, [query], { signal });
    for (let at = 0; at < documents.length; at += documentsAtATime) {
      const part = documents.slice(at, at + documentsAtATime);
      await using(module, begin({ list: 'documents', first: at }), async (job) => {
        const report = (done: number) =>
          context.report({
            phase: 'score',
            loaded: at + done,
            total: documents.length,
            cached: false,
          });
        await runTexts(module, job, part, { signal, report });
        const range = unwrap(module.scoreDocuments(job, asked));
        scores.set(new Float32Array(copyOut(module, range).buffer), at);
      });
    }
    return scores;
  });
}
