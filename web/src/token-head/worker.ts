// Heads that every token passes, on the worker's side. Only modules with every encoder have them. A call can be cancelled
// between two batches.
import { runTexts, type TextsModule } from '../model/worker-texts.ts';
import type { CallContext, Handlers } from '../rpc/serve.ts';
import { copyOut, encode, toJson, unwrap, using } from '../runtime/worker-heap.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { EncoderModel, HeadsBindings, HeapRange, TokenRowsJob } from '../wasm/module.mjs';
import type { TokenHeadInput, TokenHeadOnlyCalls, TokenRows } from './protocol.ts';

type HeadsModule = TextsModule & HeadsBindings;

export function tokenHeadHandlers(
  runtime: WorkerRuntime<HeadsModule>,
  model: () => EncoderModel,
): Handlers<TokenHeadOnlyCalls> {
  return {
    tokenRows: async (input, context) => tokenRows(await runtime.wasm(), model(), input, context),
  };
}

function tokenRows(
  module: HeadsModule,
  model: EncoderModel,
  { inputs, settings }: TokenHeadInput,
  context: CallContext,
): Promise<TokenRows> {
  const begun = unwrap(module.beginTokenRows(model, toJson(settings)));
  return using(module, begun, async (job) => {
    for (const input of inputs) {
      add(module, job, input);
    }
    const report = (loaded: number) =>
      context.report({ phase: 'score', loaded, total: inputs.length, cached: false });
    await runTexts(module, job, [], { signal: context.signal, report });
    return rowsOut(module, job, context);
  });
}

function add(
  module: HeadsModule,
  job: TokenRowsJob,
  input: TokenHeadInput['inputs'][number],
): void {
  if (typeof input === 'string') {
    unwrap(module.addText(job, encode(input)));
  } else {
    unwrap(module.addTokenPair(job, encode(input[0]), encode(input[1])));
  }
}

/** All rows, copied out of the heap and moved to the caller. */
function rowsOut(module: HeadsModule, job: TokenRowsJob, { transfer }: CallContext): TokenRows {
  const copied = (range: HeapRange) => {
    const { buffer } = copyOut(module, range);
    transfer.push(buffer);
    return buffer;
  };
  const { dim: width, rows } = unwrap(module.rowsOfTexts(job));
  const { inputs, counts, tokens } = unwrap(module.tokenWindows(job));
  return {
    width,
    logits: new Float32Array(copied(rows)),
    inputs: new Uint32Array(copied(inputs)),
    counts: new Uint32Array(copied(counts)),
    tokens: new Uint32Array(copied(tokens)),
  };
}
