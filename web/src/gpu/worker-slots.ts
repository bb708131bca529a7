// Keys and values of sequences in the device's memory. A sequence of the core is a list of tokens with a number: it finds its
// own slot, or a copy of another one that begins with the same tokens. So a slot can be given up at any time; its tokens are
// then computed again.
import type { DevicePlan } from './plan.ts';
import { type Device, usage } from './worker-device.ts';

export interface Slot {
  ids: Uint32Array;
  /** Tokens of `ids` whose keys and values are here. */
  length: number;
  rotation: number;
  /** A buffer for each layer: for each token its keys, then its values. */
  readonly layers: readonly GPUBuffer[];
  readonly capacity: number;
  lastUse: number;
}

/** Slots that are kept beside those in use. */
const mostIdle = 16;
const leastTokens = 256;

export class Slots {
  readonly #device: Device;
  readonly #plan: DevicePlan;
  readonly #slots = new Map<number, Slot>();
  #uses = 0;

  constructor(device: Device, plan: DevicePlan) {
    this.#device = device;
    this.#plan = plan;
  }

  /** The slot of a sequence, cut to the tokens `before`, with room for more; undefined where they are not here. */
  async take(
    sequence: number,
    rotation: number,
    before: Uint32Array,
    rows: number,
  ): Promise<Slot | undefined> {
    const own = this.#slots.get(sequence);
    const found = own && has(own, rotation, before) ? own : this.#like(rotation, before);
    if (!found && before.length > 0) {
      return undefined;
    }
    const needed = before.length + rows;
    let slot = found;
    if (!slot || slot !== own || slot.capacity < needed) {
      slot = await this.#make(needed, rotation);
      if (found) {
        this.#copy(found, slot, before.length);
      }
      this.#drop(sequence);
      this.#slots.set(sequence, slot);
    }
    const ids = new Uint32Array(slot.capacity);
    ids.set(before);
    Object.assign(slot, { ids, length: before.length, rotation, lastUse: ++this.#uses });
    return slot;
  }

  /** Gives up slots that were not used for long. */
  trim(): void {
    const idle = [...this.#slots].sort(([, a], [, b]) => b.lastUse - a.lastUse).slice(mostIdle);
    for (const [sequence] of idle) {
      this.#drop(sequence);
    }
  }

  clear(): void {
    for (const sequence of [...this.#slots.keys()]) {
      this.#drop(sequence);
    }
  }

  #like(rotation: number, before: Uint32Array): Slot | undefined {
    return before.length === 0
      ? undefined
      : [...this.#slots.values()].find((slot) => has(slot, rotation, before));
  }

  async #make(tokens: number, rotation: number): Promise<Slot> {
    const capacity = Math.min(
      Math.max(leastTokens, 2 ** Math.ceil(Math.log2(tokens))),
      Math.max(tokens, this.#plan.context),
    );
    const bytes = 2 * 4 * this.#plan.kvWidth * capacity;
    const use = usage.storage | usage.copySource | usage.copyTarget;
    const layers = await this.#device.guarded(() =>
      Array.from({ length: this.#plan.layers }, () => this.#device.buffer(bytes, use)),
    );
    return { ids: new Uint32Array(0), length: 0, rotation, layers, capacity, lastUse: 0 };
  }

  #copy(from: Slot, to: Slot, tokens: number): void {
    const encoder = this.#device.device.createCommandEncoder();
    const bytes = 2 * 4 * this.#plan.kvWidth * tokens;
    from.layers.forEach((layer, i) => {
      encoder.copyBufferToBuffer(layer, 0, to.layers[i] as GPUBuffer, 0, bytes);
    });
    this.#device.device.queue.submit([encoder.finish()]);
  }

  #drop(sequence: number): void {
    for (const layer of this.#slots.get(sequence)?.layers ?? []) {
      layer.destroy();
    }
    this.#slots.delete(sequence);
  }
}

function has({ ids, length, rotation }: Slot, wanted: number, before: Uint32Array): boolean {
  return (
    length >= before.length &&
    (rotation === wanted || before.length === 0) &&
    before.every((id, i) => id === ids[i])
  );
}
