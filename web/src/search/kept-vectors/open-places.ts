// The workers that have kept vectors open, one for each place. A worker stays open for some seconds after a job, so
// that the next job can use it. In Node it ends with the job, because other processes may wait for the file.
import { AmbryError } from '../../base/errors.ts';
import type { Embedder } from '../../model/embedding.ts';
import type { Channel } from '../../rpc/channel.ts';
import { connect } from '../../runtime/connect.ts';
import { probe } from '../base/probe.ts';
import type { KeptVectorsCalls, VectorPlace } from './protocol.ts';

const idleMs = 10_000;

/** The vectors of one model and prompt. */
export interface Use {
  readonly place: VectorPlace;
  readonly model: Embedder;
  readonly prompt: string | null;
}

class OpenPlace {
  readonly use: Use;
  readonly channel: Channel<KeptVectorsCalls>;
  readonly opened: Promise<number>;
  #jobs = 0;
  #closeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(use: Use) {
    this.use = use;
    this.channel = start(use.model);
    this.opened = this.#open();
    // The jobs that await it get the error.
    this.opened.catch(() => {});
  }

  get isIdle(): boolean {
    return this.#jobs === 0;
  }

  enter(): void {
    clearTimeout(this.#closeTimer);
    this.#jobs++;
  }

  /** `end` closes the worker at once. */
  async leave(end: boolean): Promise<void> {
    this.#jobs--;
    if (!this.isIdle) {
      return;
    }
    if (end || this.use.model.connection.platform.oneWorker) {
      return this.close();
    }
    this.#closeTimer = setTimeout(() => void this.close(), idleMs);
  }

  close(): Promise<void> {
    clearTimeout(this.#closeTimer);
    const key = keyOf(this.use.place);
    places.delete(key);
    const ending = this.#close();
    endings.set(key, ending);
    return ending;
  }

  async #close(): Promise<void> {
    await this.channel.call('closeVectors', null).catch(() => {});
    await this.channel.close();
  }

  async #open(): Promise<number> {
    const { place, model, prompt } = this.use;
    await endings.get(keyOf(place));
    const fingerprint = {
      probe: (await probe(model, undefined)) as Float32Array<ArrayBuffer>,
      prompt,
    };
    return this.channel.call('openVectors', { place, fingerprint });
  }
}

const places = new Map<string, OpenPlace>();
/** The workers that are being closed, by place. */
const endings = new Map<string, Promise<void>>();

const keyOf = (place: VectorPlace): string => JSON.stringify(place);

/** Call `leave` on the result, even if `opened` rejects. */
export async function enter(use: Use): Promise<OpenPlace> {
  const key = keyOf(use.place);
  for (;;) {
    const place = places.get(key) ?? new OpenPlace(use);
    const { model, prompt } = place.use;
    if (model === use.model && prompt === use.prompt) {
      places.set(key, place);
      place.enter();
      return place;
    }
    if (await endIdle(use.place)) {
      continue;
    }
    throw new AmbryError('Unsupported', 'Another job keeps other vectors there now.');
  }
}

/** Closes the worker if it is idle. Returns false while a job uses it. */
export async function endIdle(place: VectorPlace): Promise<boolean> {
  const held = places.get(keyOf(place));
  if (held && !held.isIdle) {
    return false;
  }
  await held?.close();
  return true;
}

/** This worker needs no WebAssembly, so it ignores the caller's module. */
function start({ connection }: Embedder): Channel<KeptVectorsCalls> {
  const { platform, runtime } = connection;
  const { createWorker } = runtime;
  return connect<KeptVectorsCalls>(platform, { createWorker }, 'kept-vectors').channel;
}
