// Workers that embed beside a model's own: over its memory, where that can be shared, or each over a copy of it, taken
// as it is, so that the source is not read again. They stay for some seconds after a job, so that jobs in a row share
// them, and end with the model.
import { messageOf } from '../../errors.ts';
import type { Model } from '../../model/model.ts';
import type { Channel } from '../../rpc/channel.ts';
import type { Calls, HeapShare } from '../../rpc/protocol.ts';
import { keepWorker } from '../../runtime/connect.ts';

export type Copy = Promise<Channel<Calls>>;

const kIdleMs = 10_000;

const crews = new WeakMap<Model, Crew>();

export function crewOf(model: Model): Crew {
  const crew = crews.get(model) ?? new Crew(model);
  crews.set(model, crew);
  return crew;
}

export class Crew {
  readonly #model: Model;
  readonly #idleMs: number;
  #copies: Copy[] = [];
  #share: Promise<HeapShare | null> | undefined;
  #jobs = 0;
  #goodbye: ReturnType<typeof setTimeout> | undefined;

  constructor(model: Model, idleMs = kIdleMs) {
    this.#model = model;
    this.#idleMs = idleMs;
  }

  /** The model's own heap, over which its worker and the others run batches; null where it cannot be shared. */
  share(): Promise<HeapShare | null> {
    this.#share ??= this.#model.channel.call('shareHeap', null).catch((error: unknown) => {
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
    work: (channel: Channel<Calls>, lane: number, onCrash: () => void) => Promise<void>,
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
    await work(this.#model.channel, 0, () => {});
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

  #close(channel: Channel<Calls>): Promise<void> {
    this.#model.copies.delete(channel);
    return channel.close();
  }

  async #open(): Copy {
    const { channel: own, runtime, platform } = this.#model;
    const share = await this.share();
    if (share) {
      return keepWorker(platform, runtime, 'run', (channel) =>
        this.#kept(channel, () => channel.call('joinHeap', share)),
      );
    }
    const copy = await own.call('copyHeap', null);
    return keepWorker(platform, runtime, 'run', (channel) =>
      this.#kept(channel, () => channel.call('adoptHeap', copy, { transfer: [copy.heap.buffer] })),
    );
  }

  /** The channel, which ends with the model; at once where `open` fails. */
  async #kept(channel: Channel<Calls>, open: () => Promise<null>): Copy {
    this.#model.copies.add(channel);
    try {
      await open();
      return channel;
    } catch (error) {
      this.#model.copies.delete(channel);
      throw error;
    }
  }
}
