// One model in one memory, several workers: the model's own opens a job, all of them take its batches one after another,
// and its own closes it. No call of a batch is cancelled: the job may go when nobody is at a batch any more.
import { AmbryError, abortError } from '../../errors.ts';
import type { EmbedCalls, Embedded, EmbedSettings } from '../../model/embedding.ts';
import type { Channel } from '../../rpc/channel.ts';
import type { Progress } from '../../rpc/types.ts';
import type { Copy, WorkerPool } from './pool.ts';
import type { OpenLanes, PoolCalls } from './protocol.ts';
import type { WorkItem } from './work-queue.ts';

/** A job's for each worker: its last batches leave some without work, and what is done can be kept after each. */
const textsPerLane = 256;

export interface LanesInput {
  readonly own: Channel<EmbedCalls & PoolCalls>;
  readonly memory: WebAssembly.Memory;
  readonly texts: readonly string[];
  readonly settings: EmbedSettings;
}

export interface LanesOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress: (loaded: number, note: string | undefined) => void;
  readonly onItem: (item: WorkItem, embedded: Embedded) => Promise<void> | void;
}

export async function embedByLanes(
  input: LanesInput,
  pool: WorkerPool,
  copies: readonly Copy[],
  { signal, onProgress, onItem }: LanesOptions,
): Promise<void> {
  const { texts, settings, own } = input;
  const lanes = copies.length + 1;
  for (let begin = 0; begin < texts.length; ) {
    const end = Math.min(begin + textsPerLane * lanes, texts.length);
    if (signal?.aborted) throw abortError(signal);
    const part = { texts: texts.slice(begin, end), settings, lanes };
    const open = await own
      .call('openLanes', part)
      .catch((error) => Promise.reject(placed(error, begin)));
    const job = new LaneJob(input, open, (loaded, note) => onProgress(begin + loaded, note));
    const embedded = await job.run(pool, copies, signal);
    await onItem({ begin, end }, embedded);
    begin = end;
  }
}

class LaneJob {
  readonly #input: LanesInput;
  readonly #open: OpenLanes;
  readonly #onProgress: (loaded: number, note: string | undefined) => void;
  #failure: unknown;
  /** The model's own worker died, and its memory with it. */
  #isLost = false;
  #loaded = 0;
  #note: string | undefined;

  constructor(
    input: LanesInput,
    open: OpenLanes,
    onProgress: (loaded: number, note: string | undefined) => void,
  ) {
    this.#input = input;
    this.#open = open;
    this.#onProgress = onProgress;
  }

  async run(
    pool: WorkerPool,
    copies: readonly Copy[],
    signal: AbortSignal | undefined,
  ): Promise<Embedded> {
    const { own } = this.#input;
    const abort = () => this.#fail(abortError(signal));
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    const work = (channel: Channel<EmbedCalls & PoolCalls>, lane: number, onCrash: () => void) =>
      this.#lane(channel, lane, onCrash);
    await pool.workTogether(copies, work, (note) => {
      this.#note = note;
    });
    signal?.removeEventListener('abort', abort);
    const wanted = this.#failure === undefined;
    const { handle } = this.#open;
    if (!wanted && this.#isLost) throw this.#failure;
    const embedded = await own.call('closeLanes', { handle, wanted });
    if (!wanted) throw this.#failure;
    this.#onProgress(this.#open.texts, this.#note);
    return embedded as Embedded;
  }

  /** Never rejects. */
  async #lane(
    channel: Channel<EmbedCalls & PoolCalls>,
    lane: number,
    onCrash: () => void,
  ): Promise<void> {
    // Workers tell of the same count, and are heard in any order.
    const onProgress = ({ loaded }: Progress) => {
      this.#loaded = Math.max(this.#loaded, loaded);
      this.#onProgress(this.#loaded, this.#note);
    };
    try {
      await channel.call('runLane', { ...this.#open, lane }, { onProgress });
    } catch (error) {
      if ((error as AmbryError).code === 'Crashed') {
        this.#isLost ||= lane === 0;
        onCrash();
      }
      this.#fail(error);
    }
  }

  /** The first failure is the job's. No batch is left to take then. */
  #fail(error: unknown): void {
    this.#failure ??= error;
    const { counts, batches } = this.#open;
    Atomics.store(new Int32Array(this.#input.memory.buffer, counts, 2), 0, batches);
  }
}

/** The worker counts the texts of its job. */
export function placed(error: unknown, begin: number): unknown {
  const own = error instanceof AmbryError && /^texts\[(\d+)\]$/.exec(error.path ?? '');
  if (!own) return error;
  const path = `texts[${begin + Number(own[1])}]`;
  return new AmbryError(error.code, error.message, { path });
}
