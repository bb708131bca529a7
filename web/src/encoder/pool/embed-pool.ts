// Embeds texts with several workers side by side. Each takes items of a work queue until there are none, and the rows come
// back in order. What goes wrong in one worker ends the job in all of them.
import { AmbryError, abortError } from '../../base/errors.ts';
import { checkCount } from '../../model/check-count.ts';
import { embedDefaults } from '../../model/embed-types.ts';
import type { EmbedCalls, Embedded, EmbedInput } from '../../model/embedding.ts';
import type { CallOptions, Channel } from '../../rpc/channel.ts';
import type { Progress } from '../../rpc/types.ts';
import { type PooledModel, poolOf, type StartingMember, type WorkerPool } from './pool.ts';
import type { PoolCalls } from './protocol.ts';
import { leastTexts, type WorkItem, WorkQueue } from './work-queue.ts';

interface PoolOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly workers?: number | undefined;
  /** Called with the rows of an item. The worker takes the next item when this is done. */
  readonly onItem: (item: WorkItem, embedded: Embedded) => Promise<void> | void;
}

/** What the texts become, part by part in their order. */
export async function embedParts(
  model: PooledModel,
  input: EmbedInput,
  options: Omit<PoolOptions, 'onItem'>,
): Promise<Embedded[]> {
  const parts: [WorkItem, Embedded][] = [];
  const onItem = (item: WorkItem, embedded: Embedded) => void parts.push([item, embedded]);
  await embedShares(model, input, { ...options, onItem });
  return parts.sort(([a], [b]) => a.begin - b.begin).map(([, embedded]) => embedded);
}

/** As one worker would give it. */
export async function embedTogether(
  model: PooledModel,
  input: EmbedInput,
  { signal, onProgress }: CallOptions,
  workers: number,
): Promise<Embedded> {
  const all = await embedParts(model, input, { signal, onProgress, workers });
  const vectors = new Float32Array(all.reduce((sum, part) => sum + part.vectors.length, 0));
  let at = 0;
  for (const part of all) {
    vectors.set(part.vectors, at);
    at += part.vectors.length;
  }
  const rowCounts = Uint32Array.from(all.flatMap((part) => [...part.rowCounts]));
  return { vectors, dim: all[0]?.dim ?? 0, rowCounts };
}

/** Embeds the texts item by item, in any order. */
export async function embedShares(
  model: PooledModel,
  input: EmbedInput,
  { workers = embedDefaults.workers, signal, onProgress, onItem }: PoolOptions,
): Promise<void> {
  if (signal?.aborted) {
    throw abortError(signal);
  }
  const count = usefulWorkers(model, input.texts.length, workers);
  const pool = poolOf(model);
  const job = new Job(input, count, onProgress, onItem);
  const abort = () => job.fail(abortError(signal));
  signal?.addEventListener('abort', abort, { once: true });
  try {
    await job.run(pool, pool.enter(count - 1));
  } finally {
    signal?.removeEventListener('abort', abort);
    pool.leave();
  }
}

/** How many of the workers have enough to do. */
function usefulWorkers(model: PooledModel, texts: number, workers: number): number {
  checkCount(workers, 'workers', 'workers');
  // Other models keep some of their state in JavaScript, which no other worker sees.
  const shares = model.kind === 'encoder' && !model.isLanguageModel && !model.isStatic;
  return shares ? Math.min(workers, Math.ceil(texts / (2 * leastTexts)) || 1) : 1;
}

class Job {
  readonly #input: EmbedInput;
  readonly #queue: WorkQueue;
  readonly #onProgress: ((progress: Progress) => void) | undefined;
  readonly #onItem: PoolOptions['onItem'];
  readonly #stop = new AbortController();
  #failure: unknown;
  #note: string | undefined;
  #done = 0;
  /** Finished texts of unfinished items. */
  readonly #underWay = new Map<WorkItem, number>();

  constructor(
    input: EmbedInput,
    workers: number,
    onProgress: ((progress: Progress) => void) | undefined,
    onItem: PoolOptions['onItem'],
  ) {
    this.#input = input;
    this.#queue = new WorkQueue(input.texts, workers);
    this.#onProgress = onProgress;
    this.#onItem = onItem;
  }

  /** The first failure is the job's; the other workers stop. */
  fail(error: unknown): void {
    this.#failure ??= error;
    this.#stop.abort();
  }

  async run(pool: WorkerPool, members: readonly StartingMember[]): Promise<void> {
    const work = (channel: Channel<EmbedCalls & PoolCalls>, onCrash: () => void) =>
      this.#work(channel, onCrash);
    await pool.workTogether(members, work, (note) => {
      this.#note = note;
    });
    if (this.#failure !== undefined) {
      throw this.#failure;
    }
  }

  /** Gives a worker items as long as there are any. It never rejects. */
  async #work(channel: Channel<EmbedCalls & PoolCalls>, onCrash: () => void): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const item = this.#queue.next();
      if (!item) {
        break;
      }
      const { begin, end } = item;
      const input = { ...this.#input, texts: this.#input.texts.slice(begin, end) };
      const onProgress = ({ loaded }: Progress) => this.#report(item, loaded);
      try {
        const embedded = await channel.call('embed', input, { signal, onProgress });
        await this.#onItem(item, embedded);
      } catch (error) {
        if ((error as AmbryError).code === 'Crashed') {
          onCrash();
        }
        this.fail(placed(error, begin));
        return;
      }
      this.#done += end - begin;
      this.#underWay.delete(item);
      this.#report();
    }
  }

  #report(item?: WorkItem, loaded = 0): void {
    if (item) {
      this.#underWay.set(item, loaded);
    }
    const underWay = [...this.#underWay.values()].reduce((sum, texts) => sum + texts, 0);
    this.#onProgress?.({
      phase: 'embed',
      loaded: this.#done + underWay,
      total: this.#input.texts.length,
      cached: false,
      note: this.#note,
    });
  }
}

/** The error, with the path of a text in the whole job; the worker counts the texts of its item. */
function placed(error: unknown, begin: number): unknown {
  const own = error instanceof AmbryError && /^texts\[(\d+)\]$/.exec(error.path ?? '');
  if (!own) {
    return error;
  }
  const path = `texts[${begin + Number(own[1])}]`;
  return new AmbryError(error.code, error.message, { path });
}
