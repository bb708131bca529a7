// Jobs over texts: all texts go in, the steps run one by one, and all rows come out. Between two steps a call can be
// cancelled.
import type { CallContext } from '../rpc/serve.ts';
import { withEventLoop } from '../runtime/worker-event-loop.ts';
import { copyOut, encode, unwrap, using } from '../runtime/worker-heap.ts';
import type { CoreModule, TextJob, TextRows, TextsBindings } from '../wasm/module.mjs';
import type { Embedded } from './embedding.ts';

/** The calls by which a module runs jobs over texts. */
export type TextsModule = CoreModule & TextsBindings;

interface TextSteps {
  readonly signal: AbortSignal;
  /** Gets the number of texts that are done. */
  readonly report?: ((doneTexts: number) => void) | undefined;
  /** Gives the core what the next step needs; `part` is that of the model, if it lacks weights. */
  readonly prepare?: ((part: number | null) => Promise<void>) | undefined;
}

/** Adds the texts to what the job has, and runs it. */
export async function runTexts(
  module: TextsModule,
  job: TextJob,
  texts: readonly string[],
  { signal, report, prepare }: TextSteps,
): Promise<void> {
  for (const text of texts) {
    unwrap(module.addText(job, encode(text)));
  }
  unwrap(module.startTexts(job));
  await withEventLoop(async (eventLoop) => {
    let lacking: number | null = null;
    for (let isDone = false; !isDone; ) {
      await eventLoop.turn(signal);
      await prepare?.(lacking);
      const { done, doneTexts, part } = unwrap(module.stepTexts(job));
      report?.(doneTexts);
      lacking = part;
      isDone = done;
    }
  });
}

/** Runs a job that makes vectors, and ends it. */
export function embedTexts(
  module: TextsModule,
  job: TextJob,
  texts: readonly string[],
  context: CallContext,
  prepare?: TextSteps['prepare'],
): Promise<Embedded> {
  const { signal } = context;
  const report = (loaded: number) =>
    context.report({ phase: 'embed', loaded, total: texts.length, cached: false });
  return using(module, job, async () => {
    await runTexts(module, job, texts, { signal, report, prepare });
    return embeddedOut(module, unwrap(module.rowsOfTexts(job)), context);
  });
}

/** The rows of all texts, copied out of the heap and moved to the page. */
export function embeddedOut(
  module: CoreModule,
  { dim, rows, rowCounts: counts }: TextRows,
  { transfer }: CallContext,
): Embedded {
  const vectors = new Float32Array(copyOut(module, rows).buffer);
  const rowCounts = new Uint32Array(copyOut(module, counts).buffer);
  transfer.push(vectors.buffer, rowCounts.buffer);
  return { vectors, dim, rowCounts };
}
