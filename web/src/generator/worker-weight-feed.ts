// Loads the weights of a model tensor by tensor: first the resident ones, later those of the layers that a pass
// needs. The next layer, or the next expert of a layer, is read while the current one runs.

import { unwrap } from '../runtime/worker-heap.ts';
import type { RangedFile } from '../sources/ranged.ts';
import type {
  GeneratorModel,
  GeneratorModule,
  Loader,
  TensorPlace,
  TensorTaker,
} from '../wasm/module.mjs';

/** Gets the bytes of a tensor on their way. */
type TakeTensor = (tensor: number, bytes: Uint8Array) => void;

type Reading = Promise<Uint8Array | undefined>;

export class WeightFeed {
  readonly #module: GeneratorModule;
  readonly #file: RangedFile;
  readonly #report: ((bytes: number) => void) | undefined;
  /** Tensors that are being read, outside the module's heap. */
  readonly #ahead = new Map<number, Reading>();
  /** The number of bytes loaded. */
  bytes = 0;

  /** `report` gets the number of bytes after each tensor. */
  constructor(module: GeneratorModule, file: RangedFile, report?: (bytes: number) => void) {
    this.#module = module;
    this.#file = file;
    this.#report = report;
  }

  /** Loads the tensors that stay in memory. */
  async begin(
    loader: Loader,
    signal: AbortSignal,
    report: (loaded: number, total: number) => void,
  ): Promise<void> {
    const needed = unwrap(this.#module.neededTensors(loader));
    const total = needed.reduce((sum, [, , bytes]) => sum + bytes, 0);
    for (const place of needed) {
      await this.#give(loader, place, signal);
      report(this.bytes, total);
    }
  }

  /** Loads the missing tensors of a part of the model. */
  async provide(
    model: GeneratorModel,
    part: number,
    signal: AbortSignal,
    take?: TakeTensor,
  ): Promise<void> {
    for (const place of unwrap(this.#module.roomFor(model, part))) {
      await this.#give(model, place, signal, take);
    }
    const before = new Map(this.#ahead);
    this.#ahead.clear();
    for (const [tensor, offset, bytes] of unwrap(this.#module.lackingNext(model, part))) {
      // If this fails, the tensor is read again when its part is needed.
      const reading: Reading =
        before.get(tensor) ??
        this.#file
          .source(signal)
          .read(offset, bytes)
          .catch(() => undefined);
      this.#ahead.set(tensor, reading);
    }
  }

  async #give(
    taker: TensorTaker,
    [tensor, offset, bytes]: TensorPlace,
    signal: AbortSignal,
    take?: TakeTensor,
  ): Promise<void> {
    const ahead = await this.#ahead.get(tensor);
    signal.throwIfAborted();
    let { address } = unwrap(this.#module.tensorWindow(taker, tensor));
    const source = ahead ? [ahead] : this.#file.source(signal).stream(offset, offset + bytes);
    for await (const chunk of source) {
      this.#module.HEAPU8.set(chunk, address);
      address += chunk.byteLength;
    }
    take?.(tensor, this.#module.HEAPU8.subarray(address - bytes, address));
    unwrap(this.#module.putTensor(taker));
    this.bytes += bytes;
    this.#report?.(this.bytes);
  }
}
