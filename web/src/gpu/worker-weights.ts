// The weights in the device's memory. A matrix that is larger than a kernel may read at once is in several buffers, each with
// some of its rows.
import type { GeneratorModule } from '../wasm/module.mjs';
import type { DevicePlan, PlannedMatrix } from './plan.ts';
import { type Device, usage } from './worker-device.ts';
import { noVector } from './worker-kernels.ts';
import { rowPieces } from './worker-weight-types.ts';

export interface WeightChunk {
  readonly buffer: GPUBuffer;
  readonly firstRow: number;
  readonly rows: number;
  readonly scalesAt: number;
  readonly codesAt: number;
}

const target = usage.storage | usage.copyTarget;

export class Weights {
  readonly #device: Device;
  readonly #plan: DevicePlan;
  readonly #chunks = new Map<number, readonly WeightChunk[]>();
  /** All vectors, one after another. */
  readonly vectors: GPUBuffer;
  readonly #vectorAt: readonly number[];
  bytes = 0;

  constructor(device: Device, module: GeneratorModule, plan: DevicePlan) {
    this.#device = device;
    this.#plan = plan;
    let total = 0;
    this.#vectorAt = plan.vectors.map(([, count]) => {
      total += count;
      return total - count;
    });
    this.vectors = device.buffer(4 * total, target);
    plan.vectors.forEach(([address, count], i) => {
      const bytes = module.HEAPU8.slice(address, address + 4 * count);
      device.device.queue.writeBuffer(this.vectors, 4 * (this.#vectorAt[i] ?? 0), bytes);
    });
    // All buffers are there before the first weights are read, so that a device with too little memory is known at once.
    for (const matrix of plan.matrices) {
      if (!this.#chunks.has(matrix.tensor)) {
        this.#chunks.set(matrix.tensor, this.#buffersOf(matrix));
      }
    }
  }

  /** Where a vector begins; `noVector` for none. */
  vector(number: number): number {
    return this.#vectorAt[number] ?? noVector;
  }

  matrix(number: number): PlannedMatrix {
    const matrix = this.#plan.matrices[number];
    if (!matrix) {
      throw new Error(`the plan has no matrix ${number}`);
    }
    return matrix;
  }

  chunks({ tensor }: PlannedMatrix): readonly WeightChunk[] {
    return this.#chunks.get(tensor) ?? [];
  }

  /** Takes the bytes of a tensor, which may be none of the device's. */
  put(tensor: number, bytes: Uint8Array): void {
    const matrix = this.#plan.matrices.find((each) => each.tensor === tensor);
    if (!matrix) {
      return;
    }
    const pieces = rowPieces(matrix);
    for (const { buffer, firstRow, rows } of this.chunks(matrix)) {
      let at = 0;
      for (const [from, rowBytes] of pieces) {
        const begin = from + firstRow * rowBytes;
        const size = sizeOf(rowBytes, rows, matrix);
        this.#write(buffer, at, bytes.subarray(begin, begin + size));
        at = aligned(at + size);
      }
    }
  }

  /** Writes are of whole words. */
  #write(buffer: GPUBuffer, at: number, bytes: Uint8Array): void {
    const { queue } = this.#device.device;
    const whole = bytes.byteLength - (bytes.byteLength % 4);
    queue.writeBuffer(buffer, at, bytes as Uint8Array<ArrayBuffer>, 0, whole);
    if (whole < bytes.byteLength) {
      const last = new Uint8Array(4);
      last.set(bytes.subarray(whole));
      queue.writeBuffer(buffer, at + whole, last);
    }
  }

  #buffersOf(matrix: PlannedMatrix): WeightChunk[] {
    const pieces = rowPieces(matrix);
    const rowBytes = pieces.reduce((sum, [, bytes]) => sum + bytes, 0);
    const most = matrix.transposed
      ? matrix.rows
      : Math.max(1, Math.floor((this.#device.mostBinding - 64) / rowBytes));
    const chunks: WeightChunk[] = [];
    for (let firstRow = 0; firstRow < matrix.rows; firstRow += most) {
      const rows = Math.min(most, matrix.rows - firstRow);
      const sizes = pieces.map(([, bytes]) => aligned(sizeOf(bytes, rows, matrix)));
      const size = sizes.reduce((sum, bytes) => sum + bytes, 0);
      // A kernel may read the word after the last byte.
      const buffer = this.#device.buffer(size + 4, target);
      this.bytes += buffer.size;
      chunks.push({ buffer, firstRow, rows, scalesAt: 0, codesAt: sizes[0] ?? 0 });
    }
    return chunks;
  }
}

/** A scale of the whole tensor belongs to each of its chunks. */
function sizeOf(rowBytes: number, rows: number, { scaleBytes }: PlannedMatrix): number {
  return rowBytes === 0 ? scaleBytes : rowBytes * rows;
}

const aligned = (bytes: number): number => Math.ceil(bytes / 4) * 4;
