// Workers that embed beside a model's own worker. Each runs over the same memory, where that can be shared, or else over a
// copy of it, so the source is not read again. They stay for some seconds after a job, so that the next job can use
// them, and end with the model.
import { messageOf } from '../../base/errors.ts';
import type { EmbedCalls } from '../../model/embedding.ts';
import type { Channel } from '../../rpc/channel.ts';
import { type Connection, keepWorker } from '../../runtime/connect.ts';
import type { LentEncoder, PoolCalls } from './protocol.ts';

type PoolChannel = Channel<EmbedCalls & PoolCalls>;

/** A model that several workers can embed with. */
export interface PooledModel {
  readonly kind: 'encoder' | 'words';
  readonly isLanguageModel?: boolean;
  readonly isStatic?: boolean;
  readonly connection: Connection<EmbedCalls>;
}

/** A worker beside the model's own. */
interface Member {
  readonly channel: PoolChannel;
  /** The handle of its stack, where it shares the memory. */
  readonly stack: number | undefined;
}

/** A worker that is being started, or runs, or failed to start. */
export type StartingMember = Promise<Member>;

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
  #members: StartingMember[] = [];
  #jobs = 0;
  #closeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(model: PooledModel, idleMs = defaultIdleMs) {
    this.#model = model;
    this.#idleMs = idleMs;
  }

  /** The channel of the model's own worker. Only encoders have more than one worker, and their workers have all calls. */
  get own(): PoolChannel {
    return this.#model.connection.channel as unknown as PoolChannel;
  }

  /** Begins a job with `count` more workers. They are opened one after the other, since a copy is in memory twice while
   *  it moves. */
  enter(count: number): readonly StartingMember[] {
    clearTimeout(this.#closeTimer);
    this.#jobs++;
    while (this.#members.length < count) {
      this.#add(this.#members.at(-1));
    }
    return this.#members.slice(0, count);
  }

  leave(): void {
    if (--this.#jobs > 0) {
      return;
    }
    this.#closeTimer = setTimeout(() => void this.#end(), this.#idleMs);
    // In Node a timer would keep the process alive.
    (this.#closeTimer as { unref?: () => void }).unref?.();
  }

  /** Has the model's own worker do `work`, and each member that is ready before that one is done. `work` never rejects,
   *  and says when a worker died; `onNote` is called with the reason why a member does nothing. */
  async workTogether(
    members: readonly StartingMember[],
    work: (channel: PoolChannel, onCrash: () => void) => Promise<void>,
    onNote: (note: string) => void,
  ): Promise<void> {
    const busy: Promise<void>[] = [];
    let isOver = false;
    const join = async (member: StartingMember): Promise<void> => {
      try {
        const { channel } = await member;
        if (!isOver) {
          busy.push(work(channel, () => void this.#drop(member)));
        }
      } catch (error) {
        onNote(`Fewer workers embed than may: ${messageOf(error)}`);
      }
    };
    for (const member of members) {
      void join(member);
    }
    await work(this.own, () => {});
    isOver = true;
    await Promise.all(busy);
  }

  /** Lets go of a member whose worker died. */
  async #drop(member: StartingMember): Promise<void> {
    this.#members = this.#members.filter((other) => other !== member);
    await member.then(
      (started) => this.#close(started),
      () => {},
    );
  }

  #add(before: StartingMember | undefined): void {
    const member: StartingMember = (before ?? Promise.resolve()).then(
      () => this.#open(),
      () => this.#open(),
    );
    this.#members.push(member);
    // A job that waits for it fails with the reason. The next job tries again.
    member.catch(() => this.#drop(member));
  }

  async #end(): Promise<void> {
    const members = this.#members;
    this.#members = [];
    await Promise.allSettled(
      members.map((member) => member.then((started) => this.#close(started))),
    );
  }

  async #close({ channel, stack }: Member): Promise<void> {
    this.#model.connection.further.delete(channel);
    await channel.close();
    if (stack !== undefined && this.own.isRunning) {
      await this.own.call('freeStack', stack);
    }
  }

  async #open(): StartingMember {
    const { runtime, platform, worker } = this.#model.connection;
    const lent = await this.own.call('lendEncoder', null);
    // A member runs the same module. It opens no file, so it needs no cache.
    const name = worker === 'encoder' ? worker : 'encoder-small';
    return keepWorker<EmbedCalls & PoolCalls, Member>(platform, runtime, name, ({ channel }) =>
      this.#borrow(channel, lent),
    );
  }

  /** The member ends with the model. When it cannot be opened, it ends at once. */
  async #borrow(channel: PoolChannel, lent: LentEncoder): StartingMember {
    const { memory } = lent;
    const { further } = this.#model.connection;
    further.add(channel);
    try {
      const transfer = 'heap' in memory ? [memory.heap.buffer] : [];
      await channel.call('borrowEncoder', lent, { transfer });
      return { channel, stack: 'shared' in memory ? memory.stack : undefined };
    } catch (error) {
      further.delete(channel);
      throw error;
    }
  }
}
