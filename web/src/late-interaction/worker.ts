// Late interaction on the worker's side. Only modules with every encoder have it. A call can be cancelled between two batches.
import type { Embedded } from '../model/embedding.ts';
import { embeddedOut } from '../model/worker-embedded.ts';
import type { CallContext, Handlers } from '../rpc/serve.ts';
import { runSteps } from '../runtime/worker-event-loop.ts';
import { copyOut, encode, unwrap, using } from '../runtime/worker-heap.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { CoreModule, EncoderSession, LateBindings, TokenJob } from '../wasm/module.mjs';
import type { LateCalls, RankInput, TokensInput } from './protocol.ts';

type LateModule = CoreModule & LateBindings;

/** The vectors of so many documents are held at a time. */
const documentsAtATime = 128;

export function lateHandlers(
  runtime: WorkerRuntime<LateModule>,
  session: () => EncoderSession,
): Handlers<LateCalls> {
  return {
    embedTokens: async (input, context) =>
      embedTokens(await runtime.wasm(), session(), input, context),
    rankTokens: async (input, context) => rank(await runtime.wasm(), session(), input, context),
  };
}

function embedTokens(
  module: LateModule,
  session: EncoderSession,
  { texts, settings }: TokensInput,
  context: CallContext,
): Promise<Embedded> {
  const job = unwrap(module.beginTokens(session, JSON.stringify(settings)));
  return using(module, job, async () => {
    await runTokens(module, job, texts, context.signal, (loaded) =>
      context.report({ phase: 'embed', loaded, total: texts.length, cached: false }),
    );
    return embeddedOut(module, unwrap(module.tokenVectors(job)), context);
  });
}

function rank(
  module: LateModule,
  session: EncoderSession,
  { query, documents, settings }: RankInput,
  context: CallContext,
): Promise<Float32Array<ArrayBuffer>> {
  const begin = (more: object) =>
    unwrap(module.beginTokens(session, JSON.stringify({ ...settings, ...more })));
  const scores = new Float32Array(documents.length);
  context.transfer.push(scores.buffer);
  return using(module, begin({ as: 'query', list: 'query' }), async (asked) => {
    await runTokens(module, asked, [query], context.signal);
    for (let at = 0; at < documents.length; at += documentsAtATime) {
      const part = documents.slice(at, at + documentsAtATime);
      await using(module, begin({ list: 'documents', first: at }), async (job) => {
        await runTokens(module, job, part, context.signal, (done) =>
          context.report({
            phase: 'score',
            loaded: at + done,
            total: documents.length,
            cached: false,
          }),
        );
        const range = unwrap(module.scoreDocuments(job, asked));
        scores.set(new Float32Array(copyOut(module, range).buffer), at);
      });
    }
    return scores;
  });
}

async function runTokens(
  module: LateModule,
  job: TokenJob,
  texts: readonly string[],
  signal: AbortSignal,
  report?: (done: number) => void,
): Promise<void> {
  for (const text of texts) {
    unwrap(module.addTokensText(job, encode(text)));
  }
  unwrap(module.startTokens(job));
  return runSteps(() => unwrap(module.stepTokens(job)), signal, report);
}
