// All outputs of texts in one pass, on the worker's side. Only modules with every encoder have them. A call can be cancelled
// between two batches.
import { embeddedOf, moveOut, type TextsModule } from '../../model/worker-texts.ts';
import type { CallContext, Handlers } from '../../rpc/serve.ts';
import { withEventLoop } from '../../runtime/worker-event-loop.ts';
import { encode, toJson, unwrap } from '../../runtime/worker-heap.ts';
import type { WorkerRuntime } from '../../runtime/worker-runtime.ts';
import { sparseRowsOf } from '../../sparse-encoder/worker.ts';
import type {
  EmbedJob,
  EncoderBindings,
  EncoderModel,
  Handle,
  HeadsBindings,
  LateBindings,
  SparseJob,
  TokenJob,
} from '../../wasm/module.mjs';
import type { AllInput, AllOutputsCalls, AllRows } from './protocol.ts';

type AllModule = TextsModule & EncoderBindings & LateBindings & HeadsBindings;

/** 0 stands for an output that is not wanted. */
interface Jobs {
  readonly dense: EmbedJob;
  readonly sparse: SparseJob | 0;
  readonly tokens: TokenJob | 0;
}

export function allOutputsHandlers(
  runtime: WorkerRuntime<AllModule>,
  model: () => EncoderModel,
): Handlers<AllOutputsCalls> {
  return {
    embedAll: async (input, context) => embedAll(await runtime.wasm(), model(), input, context),
  };
}

async function embedAll(
  module: AllModule,
  model: EncoderModel,
  input: AllInput,
  context: CallContext,
): Promise<AllRows> {
  const begun: Handle[] = [];
  try {
    const jobs = beginAll(module, model, input, begun);
    await runAll(module, jobs, input.texts, context);
    return rowsOut(module, jobs, input, context);
  } finally {
    for (const job of begun) {
      module.release(job);
    }
  }
}

/** Puts each job into `begun`, to be released. */
function beginAll(
  module: AllModule,
  model: EncoderModel,
  { settings }: AllInput,
  begun: Handle[],
): Jobs {
  const { sparse = true, tokens = true, dense: _, k, ...common } = settings;
  const kept = <J extends Handle>(job: J): J => {
    begun.push(job);
    return job;
  };
  return {
    dense: kept(unwrap(module.beginTexts('embed', model, toJson(common)))),
    sparse: sparse ? kept(unwrap(module.beginTexts('sparse', model, toJson({ ...common, k })))) : 0,
    tokens: tokens ? kept(unwrap(module.beginTexts('tokens', model, toJson(common)))) : 0,
  };
}

/** The job of whole texts has the texts. */
async function runAll(
  module: AllModule,
  { dense, sparse, tokens }: Jobs,
  texts: readonly string[],
  { signal, report }: CallContext,
): Promise<void> {
  for (const text of texts) {
    unwrap(module.addText(dense, encode(text)));
  }
  unwrap(module.startTogether(dense, sparse, tokens));
  await withEventLoop(async (eventLoop) => {
    let loaded = 0;
    do {
      await eventLoop.turn(signal);
      loaded = unwrap(module.stepTogether(dense, sparse, tokens));
      report({ phase: 'embed', loaded, total: texts.length, cached: false });
    } while (loaded < texts.length);
  });
}

function rowsOut(
  module: AllModule,
  { dense, sparse, tokens }: Jobs,
  { settings, words }: AllInput,
  context: CallContext,
): AllRows {
  const moved = moveOut(module, context);
  const rowsOf = (job: EmbedJob | SparseJob | TokenJob) => unwrap(module.rowsOfTexts(job));
  return {
    dense: settings.dense === false ? undefined : embeddedOf(rowsOf(dense), moved),
    sparse:
      sparse === 0 ? undefined : sparseRowsOf(module, sparse, rowsOf(sparse), { moved, words }),
    tokens: tokens === 0 ? undefined : embeddedOf(rowsOf(tokens), moved),
  };
}
