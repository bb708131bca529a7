// Runs the parts of a plan over blocks of rows: one command buffer for a block, and one for each 32 rows of results.
import type { GeneratorModule } from '../wasm/module.mjs';
import type { BufferName, DevicePlan } from './plan.ts';
import { DeviceFault } from './worker-core.ts';
import { type Device, usage } from './worker-device.ts';
import { mostHeadDim } from './worker-kernels.ts';
import { type Slot, Slots } from './worker-slots.ts';
import { type Bound, type Dispatch, Steps } from './worker-steps.ts';
import { Weights } from './worker-weights.ts';

/** Rows of a block: kDeviceRows of the core. */
const blockRows = 128;
/** Rows of results that are computed and read back together. */
const resultRows = 32;
/** Uniform buffers are bound at multiples of this. */
const stride = 256;
const mostGroups = 65_535;

export interface Block {
  readonly ids: Uint32Array;
  readonly wanted: Uint32Array;
  readonly hidden: boolean;
  readonly rope: Float32Array;
  readonly local: Float32Array;
  readonly pieces: readonly {
    readonly sequence: number;
    readonly rotation: number;
    readonly first: number;
    readonly rows: number;
    readonly before: Uint32Array;
  }[];
}

/** A dispatch with what it is bound to. */
interface Ready extends Dispatch {
  readonly numbersAt: number;
  group?: GPUBindGroup;
  /** By the buffer of keys. */
  readonly groups: WeakMap<GPUBuffer, GPUBindGroup>;
}

/** Where the rows of a dispatch are told, and how many there are. */
interface Rows {
  readonly at: number;
  readonly count: number;
}

export class Runner {
  readonly plan: DevicePlan;
  readonly weights: Weights;
  readonly #device: Device;
  readonly #slots: Slots;
  readonly #parts: readonly (readonly Ready[])[];
  readonly #buffers: ReadonlyMap<string, GPUBuffer>;
  readonly #numbers: GPUBuffer;
  readonly #now: GPUBuffer;
  readonly #read: GPUBuffer;
  #pieces: readonly { slot: Slot; rows: number }[] = [];
  #count = 0;

  private constructor(device: Device, plan: DevicePlan, weights: Weights) {
    this.#device = device;
    this.plan = plan;
    this.weights = weights;
    this.#slots = new Slots(device, plan);
    const steps = new Steps(plan, weights, device.kernelLimits.tile);
    let last = 0;
    this.#parts = plan.parts.map((part) =>
      part
        .flatMap((step) => steps.of(step))
        .map((dispatch) => ({ ...dispatch, numbersAt: stride * last++, groups: new WeakMap() })),
    );
    const dispatches = this.#parts.flat();
    this.#numbers = device.buffer(stride * Math.max(1, last), usage.uniform | usage.copyTarget);
    const all = new Uint8Array(stride * Math.max(1, last));
    for (const { numbersAt, numbers, floats } of dispatches) {
      const view = new DataView(all.buffer, numbersAt);
      numbers.forEach((number, i) => {
        floats.includes(i)
          ? view.setFloat32(4 * i, number, true)
          : view.setUint32(4 * i, number, true);
      });
    }
    device.device.queue.writeBuffer(this.#numbers, 0, all);
    this.#now = device.buffer(stride * (blockRows + 2), usage.uniform | usage.copyTarget);
    this.#buffers = this.#makeBuffers();
    const { logits, hidden } = plan.buffers;
    this.#read = device.buffer(
      4 * Math.max(blockRows * Math.max(...this.#widths()), resultRows * Math.max(logits, hidden)),
      usage.mapRead | usage.copyTarget,
    );
  }

  static async create(device: Device, module: GeneratorModule, plan: DevicePlan): Promise<Runner> {
    const head = Math.max(0, ...rotatedHeads(plan));
    if (head > mostHeadDim) {
      throw new DeviceFault(`heads of ${head} numbers are larger than the kernels allow`);
    }
    const runner = await device.guarded(
      () => new Runner(device, plan, new Weights(device, module, plan)),
    );
    await device.compile(runner.#parts.flat().map(({ kernel }) => kernel));
    return runner;
  }

  /** Computes a block and gives the rows of results. False where keys and values of earlier tokens are not here. */
  async run(block: Block, put: (row: number, numbers: Float32Array) => void): Promise<boolean> {
    if (!(await this.begin(block))) {
      return false;
    }
    const { parts } = this.plan;
    this.runParts(0, parts.length - 2);
    this.finish(block);
    for (let row = 0; row < block.wanted.length; row += resultRows) {
      put(row, await this.results(block.wanted.subarray(row, row + resultRows), block.hidden));
    }
    // A fault in a block without results is found, too, before its tokens count as computed.
    await this.idle();
    return true;
  }

  /** Brings the rows of a block to the device. */
  async begin(block: Block): Promise<boolean> {
    this.#device.check();
    const { queue } = this.#device.device;
    this.#count = block.ids.length;
    const pieces: { slot: Slot; rows: number }[] = [];
    const rows = new Uint32Array(2 * this.#count);
    const now = new Uint32Array((stride / 4) * (block.pieces.length + 1));
    const pairs =
      block.rope.length / 2 / this.#count + 65_536 * (block.local.length / 2 / this.#count);
    now.set([this.#count, 0, 0, pairs]);
    for (const [i, piece] of block.pieces.entries()) {
      const { before, first } = piece;
      const slot = await this.#slots.take(piece.sequence, piece.rotation, before, piece.rows);
      if (!slot) {
        return false;
      }
      pieces.push({ slot, rows: piece.rows });
      now.set([piece.rows, first, before.length, pairs], (stride / 4) * (i + 1));
      for (let row = first; row < first + piece.rows; row++) {
        rows.set([block.ids[row] ?? 0, before.length + row - first], 2 * row);
      }
    }
    this.#pieces = pieces;
    queue.writeBuffer(this.#now, 0, now);
    queue.writeBuffer(this.#bufferOf('rows'), 0, rows);
    for (const [name, table] of [
      ['rope', block.rope],
      ['local', block.local],
    ] as const) {
      if (table.length > 0) {
        queue.writeBuffer(this.#bufferOf(name), 0, table as Float32Array<ArrayBuffer>);
      }
    }
    return true;
  }

  /** The tokens of the block are computed. */
  finish(block: Block): void {
    block.pieces.forEach(({ first, rows, before }, i) => {
      const { slot } = this.#pieces[i] as { slot: Slot };
      slot.ids.set(block.ids.subarray(first, first + rows), before.length);
      slot.length = before.length + rows;
    });
    this.#slots.trim();
  }

  runParts(begin: number, end: number): void {
    const encoder = this.#device.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    for (const dispatch of this.#parts.slice(begin, end).flat()) {
      if (dispatch.layer === undefined) {
        this.#dispatch(pass, dispatch, { at: 0, count: this.#count });
      } else {
        this.#pieces.forEach(({ slot, rows }, i) => {
          const keys = slot.layers[dispatch.layer ?? 0];
          this.#dispatch(pass, dispatch, { at: stride * (i + 1), count: rows }, keys);
        });
      }
    }
    pass.end();
    this.#device.device.queue.submit([encoder.finish()]);
  }

  /** Logits, or states after the last norm, of at most 32 rows of the block. */
  async results(wanted: Uint32Array, hidden: boolean): Promise<Float32Array> {
    const { device } = this.#device;
    const { parts, buffers } = this.plan;
    const at = stride * (blockRows + 1);
    device.queue.writeBuffer(this.#now, at, new Uint32Array([wanted.length, 0, 0, 0]));
    const encoder = device.createCommandEncoder();
    const bytes = 4 * buffers.hidden;
    wanted.forEach((row, i) => {
      const from = this.#bufferOf('hidden');
      encoder.copyBufferToBuffer(from, row * bytes, this.#bufferOf('picked'), i * bytes, bytes);
    });
    const pass = encoder.beginComputePass();
    const last = hidden ? parts.length - 1 : parts.length;
    for (const dispatch of this.#parts.slice(parts.length - 2, last).flat()) {
      this.#dispatch(pass, dispatch, { at, count: wanted.length });
    }
    pass.end();
    const width = hidden ? buffers.hidden : buffers.logits;
    return this.#readAfter(encoder, hidden ? 'normed' : 'logits', wanted.length * width);
  }

  /** The first numbers of a buffer. */
  read(name: BufferName, count: number): Promise<Float32Array> {
    return this.#readAfter(this.#device.device.createCommandEncoder(), name, count);
  }

  write(name: BufferName, numbers: Float32Array): void {
    const buffer = this.#bufferOf(name);
    this.#device.device.queue.writeBuffer(buffer, 0, numbers as Float32Array<ArrayBuffer>);
  }

  /** Whether the device answers, after all that it was asked for. */
  async idle(): Promise<void> {
    await this.#device.answered(this.#device.device.queue.onSubmittedWorkDone());
  }

  forget(): void {
    this.#slots.clear();
  }

  async #readAfter(
    encoder: GPUCommandEncoder,
    name: BufferName,
    count: number,
  ): Promise<Float32Array> {
    encoder.copyBufferToBuffer(this.#bufferOf(name), 0, this.#read, 0, 4 * count);
    this.#device.device.queue.submit([encoder.finish()]);
    await this.#device.answered(this.#read.mapAsync(1, 0, 4 * count));
    const numbers = new Float32Array(this.#read.getMappedRange(0, 4 * count).slice(0));
    this.#read.unmap();
    return numbers;
  }

  #dispatch(
    pass: GPUComputePassEncoder,
    dispatch: Ready,
    { at, count }: Rows,
    keys?: GPUBuffer,
  ): void {
    if (
      count === 0 ||
      (dispatch.rows !== undefined && (dispatch.rows === 'one') !== (count === 1))
    ) {
      return;
    }
    pass.setPipeline(this.#device.pipeline(dispatch.kernel).pipeline);
    pass.setBindGroup(0, this.#groupOf(dispatch, keys), [at]);
    pass.dispatchWorkgroups(...groupsOf(dispatch, count));
  }

  #groupOf(dispatch: Ready, keys?: GPUBuffer): GPUBindGroup {
    const known = keys ? dispatch.groups.get(keys) : dispatch.group;
    if (known) {
      return known;
    }
    const buffers = dispatch.bound.map((name) => this.#boundTo(name, keys));
    const made = this.#device.device.createBindGroup({
      layout: this.#device.pipeline(dispatch.kernel).layout,
      entries: [
        { binding: 0, resource: { buffer: this.#numbers, offset: dispatch.numbersAt, size: 64 } },
        { binding: 1, resource: { buffer: this.#now, size: 16 } },
        ...buffers.map((buffer, i) => ({ binding: i + 2, resource: { buffer } })),
      ],
    });
    if (keys) {
      dispatch.groups.set(keys, made);
    } else {
      dispatch.group = made;
    }
    return made;
  }

  #boundTo(name: Bound, keys?: GPUBuffer): GPUBuffer {
    if (typeof name !== 'string') {
      return name;
    }
    if (name === 'keys' && keys) {
      return keys;
    }
    return name === 'vectors' ? this.weights.vectors : this.#bufferOf(name);
  }

  #bufferOf(name: string): GPUBuffer {
    const buffer = this.#buffers.get(name);
    if (!buffer) {
      throw new Error(`there is no buffer ${name}`);
    }
    return buffer;
  }

  /** Numbers of a row in each buffer that holds a whole block. */
  #widths(): number[] {
    const { logits: _, ...others } = this.plan.buffers;
    return Object.values(others);
  }

  #makeBuffers(): Map<string, GPUBuffer> {
    const use = usage.storage | usage.copySource | usage.copyTarget;
    const angles = Math.max(1, ...rotatedHeads(this.plan));
    const sizes = { rows: 2, rope: angles, local: angles, ...this.plan.buffers };
    return new Map(
      Object.entries(sizes).map(([name, width]) => {
        const count = name === 'logits' ? resultRows : blockRows;
        return [name, this.#device.buffer(4 * count * width, use)];
      }),
    );
  }
}

/** Numbers of each head that is rotated or attends. */
function rotatedHeads({ parts }: DevicePlan): number[] {
  return parts.flat().flatMap(([kernel, , numbers]) => {
    const size = { rotate: numbers[1], attend: numbers[3] }[kernel];
    return size === undefined ? [] : [size];
  });
}

function groupsOf({ jobs, jobIs }: Dispatch, rows: number): [number, number] {
  const wanted = jobs(rows);
  if (typeof wanted !== 'number') {
    return [...wanted];
  }
  const groups = jobIs === 'workgroup' ? wanted : Math.ceil(wanted / 64);
  const x = Math.min(groups, mostGroups);
  return [x, Math.ceil(groups / x)];
}
