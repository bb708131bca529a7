// Workers that embed beside a model's own: over its memory, where that can be shared, or each over a copy of it, taken
// as it is, so that the source is not read again. They stay for some seconds after a job, so that jobs in a row share
// them, and end with the model.
import { messageOf } from '../../errors.ts';
import type { EmbedCalls } from '../../model/embedding.ts';
import type { Channel } from '../../rpc/channel.ts';
import { type Connection, keepWorker } from '../../runtime/connect.ts';
import type { HeapShare } from '../../runtime/types.ts';
import type { PoolCalls } from './protocol.ts';

type PoolChannel = Channel<EmbedCalls & PoolCalls>;

/** A model that several workers can embed with. */
export interface PooledModel {
  readonly kind: 'encoder' | 'words';
  readonly connection: Connection<EmbedCalls>;
}

export type Copy = Promise<PoolChannel>;

const defaultIdleMs = 10_000;

const pools = new WeakMap<PooledModel, WorkerPool>();

export function poolOf(model: PooledModel): WorkerPool {
  const pool = pools.get(model) ?? new WorkerPool(model);
  pools.set(model, pool);
  return pool;
}

export class WorkerPool {
  readonly #model: PooledModel;
  readonly #idleMs: number;
  #copies: Copy[] = [];
  #share: Promise<HeapShare | null> | undefined;
  #jobs = 0;
  #goodbye: ReturnType<typeof setTimeout> | undefined;

  constructor(model: PooledModel, idleMs = defaultIdleMs) {
    this.#model = model;
    this.#idleMs = idleMs;
  }

  /** The channel of the model's own worker. Only encoders have more than one worker, and their workers have all calls. */
  get own(): PoolChannel {
    return this.#model.connection.channel as unknown as PoolChannel;
  }

  /** The model's own heap, over which its worker and the others run batches; null where it cannot be shared. */
  share(): Promise<HeapShare | null> {
    this.#share ??= this.own.call('shareHeap', null).catch((error: unknown) => {
      // The next job tries again.
      this.#share = undefined;
      throw error;
    });
    return this.#share;
  }

  /** Begins a job with so many copies. They are opened one after the other, since each is in memory twice
   *  while it moves. */
  enter(count: number): readonly Copy[] {
    clearTimeout(this.#goodbye);
    this.#jobs++;
    while (this.#copies.length < count) this.#add(this.#copies.at(-1));
    return this.#copies.slice(0, count);
  }

  leave(): void {
    if (--this.#jobs > 0) return;
    this.#goodbye = setTimeout(() => void this.#end(), this.#idleMs);
    // In Node a timer would keep the process alive.
    (this.#goodbye as { unref?: () => void }).unref?.();
  }

  /** Has the model's own worker, number 0, do `work`, and each copy that is ready before that one is done. `work` never
   *  rejects, and says when a worker died; `onNote` hears why a copy does nothing. */
  async workTogether(
    copies: readonly Copy[],
    work: (channel: PoolChannel, lane: number, onCrash: () => void) => Promise<void>,
    onNote: (note: string) => void,
  ): Promise<void> {
    const busy: Promise<void>[] = [];
    let isOver = false;
    const join = async (copy: Copy, lane: number): Promise<void> => {
      try {
        const channel = await copy;
        if (!isOver) busy.push(work(channel, lane, () => void this.drop(copy)));
      } catch (error) {
        onNote(`Fewer workers embed than may: ${messageOf(error)}`);
      }
    };
    for (const [i, copy] of copies.entries()) void join(copy, i + 1);
    await work(this.own, 0, () => {});
    isOver = true;
    await Promise.all(busy);
  }

  /** Lets go of a copy whose worker died. */
  async drop(copy: Copy): Promise<void> {
    this.#copies = this.#copies.filter((other) => other !== copy);
    await copy.then(
      (channel) => this.#close(channel),
      () => {},
    );
  }

  #add(before: Copy | undefined): void {
    const copy: Copy = (before ?? Promise.resolve()).then(
      () => this.#open(),
      () => this.#open(),
    );
    this.#copies.push(copy);
    // Whoever uses it hears of it; the next job tries again.
    copy.catch(() => this.drop(copy));
  }

  async #end(): Promise<void> {
    const copies = this.#copies;
    this.#copies = [];
    await Promise.allSettled(copies.map((copy) => copy.then((channel) => this.#close(channel))));
  }

  #close(channel: PoolChannel): Promise<void> {
    this.#model.connection.further.delete(channel);
    return channel.close();
  }

  async #open(): Copy {
    const { runtime, platform } = this.#model.connection;
    const share = await this.share();
    if (share) {
      return keepWorker<EmbedCalls & PoolCalls, PoolChannel>(
        platform,
        runtime,
        'encoder',
        ({ channel }) => this.#kept(channel, () => channel.call('joinHeap', share)),
      );
    }
    const copy = await this.own.call('copyHeap', null);
    return keepWorker<EmbedCalls & PoolCalls, PoolChannel>(
      platform,
      runtime,
      'encoder',
      ({ channel }) =>
        this.#kept(channel, () =>
          channel.call('adoptHeap', copy, { transfer: [copy.heap.buffer] }),
        ),
    );
  }

  /** The channel, which ends with the model; at once where `open` fails. */
  async #kept(channel: PoolChannel, open: () => Promise<null>): Copy {
    this.#model.connection.further.add(channel);
    try {
      await open();
      return channel;
    } catch (error) {
      this.#model.connection.further.delete(channel);
      throw error;
    }
  }
}
