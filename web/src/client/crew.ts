// Workers that hold copies of a model and embed beside its own. A copy is the memory of the model's worker,
// taken as it is: whatever the source was, it is not read again. Copies stay for some seconds after a job, so that jobs
// in a row share them, and end with the model.
import type { Channel } from '../rpc/channel.ts';
import type { Calls } from '../rpc/protocol.ts';
import { keepWorker } from './connect.ts';
import type { Model } from './model.ts';

type Copy = Promise<Channel<Calls>>;

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
  #jobs = 0;
  #goodbye: ReturnType<typeof setTimeout> | undefined;

  constructor(model: Model, idleMs = kIdleMs) {
    this.#model = model;
    this.#idleMs = idleMs;
  }

  /** Begins a job with so many copies. They are opened one after the other, since each is in memory twice
   *  while it moves. */
  enter(count: number): readonly Copy[] {
    clearTimeout(this.#goodbye);
    this.#jobs++;
    while (this.#copies.length < count) this.#open(this.#copies.at(-1));
    return this.#copies.slice(0, count);
  }

  leave(): void {
    if (--this.#jobs > 0) return;
    this.#goodbye = setTimeout(() => void this.#end(), this.#idleMs);
    // In Node a timer would keep the process alive.
    (this.#goodbye as { unref?: () => void }).unref?.();
  }

  /** Lets go of a copy whose worker died. */
  async drop(copy: Copy): Promise<void> {
    this.#copies = this.#copies.filter((other) => other !== copy);
    await copy.then(
      (channel) => this.#close(channel),
      () => {},
    );
  }

  #open(before: Copy | undefined): void {
    const copy: Copy = (before ?? Promise.resolve()).then(
      () => openCopy(this.#model),
      () => openCopy(this.#model),
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
}

async function openCopy(model: Model): Copy {
  const { channel: own, runtime, platform } = model;
  const { whole, ...copy } = await own.call('copyHeap', null);
  return keepWorker(platform, runtime, whole ? 'all' : 'run', async (channel) => {
    model.copies.add(channel);
    try {
      await channel.call('adoptHeap', copy, { transfer: [copy.heap.buffer] });
      return channel;
    } catch (error) {
      model.copies.delete(channel);
      throw error;
    }
  });
}
