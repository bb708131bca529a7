// Jobs over texts: all texts go in, the steps run one by one, and all rows come out. Between two steps a call can be
// cancelled.
import type { CallContext } from '../rpc/serve.ts';
import { withEventLoop } from '../runtime/worker-event-loop.ts';
import { copyOut, encode, unwrap, using } from '../runtime/worker-heap.ts';
import type { CoreModule, HeapRange, TextJob, TextRows, TextsBindings } from '../wasm/module.mjs';
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

/** A job that reports how far it is, and what becomes of its rows. */
export interface TextWork<T> {
  readonly phase: 'embed' | 'score';
  readonly texts: readonly string[];
  readonly context: CallContext;
  /** Adds what the job reads besides, and says how many that are. */
  readonly add?: (() => number) | undefined;
  readonly prepare?: TextSteps['prepare'];
  readonly take: (rows: TextRows, moved: MoveOut) => T;
}

/** Copies a piece of the heap to a buffer that moves to the caller. */
export type MoveOut = (range: HeapRange) => ArrayBuffer;

export function moveOut(module: CoreModule, { transfer }: CallContext): MoveOut {
  return (range) => {
    const { buffer } = copyOut(module, range);
    transfer.push(buffer);
    return buffer;
  };
}

/** Runs a job, and ends it. */
export function runTextWork<T>(
  module: TextsModule,
  job: TextJob,
  { phase, texts, context, add, prepare, take }: TextWork<T>,
): Promise<T> {
  const { signal } = context;
  return using(module, job, async () => {
    const total = texts.length + (add?.() ?? 0);
    const report = (loaded: number) => context.report({ phase, loaded, total, cached: false });
    await runTexts(module, job, texts, { signal, report, prepare });
    return take(unwrap(module.rowsOfTexts(job)), moveOut(module, context));
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
  return runTextWork(module, job, {
    phase: 'embed',
    texts,
    context,
    prepare,
    take: embeddedOf,
  });
}

/** The rows of all texts as vectors. */
export function embeddedOf({ dim, rows, rowCounts }: TextRows, moved: MoveOut): Embedded {
  return {
    vectors: new Float32Array(moved(rows)),
    dim,
    rowCounts: new Uint32Array(moved(rowCounts)),
  };
}
