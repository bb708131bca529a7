// The check of a device: a pass over tokens that are always the same, part by part on both sides. Each part of the device
// begins with what WebAssembly had before it, so a difference belongs to that part. At last the device runs the whole pass
// alone. Products of many rows and of one are both checked: the last token comes by itself.
import type { GeneratorModel, GeneratorModule, HeapRange } from '../wasm/module.mjs';
import type { BufferName } from './plan.ts';
import { DeviceFault, heapBytes, heapNumbers, unwrap, using } from './worker-core.ts';
import type { Block, Runner } from './worker-runner.ts';

/** The largest difference that may be, as a share of the largest number of a row. Both sides compute with the same f32
 *  values of weights and activations, so only the order of sums differs, and functions such as e^x in their last bits. */
export const bounds = { part: 1e-4, whole: 1e-3 } as const;

export interface Checked {
  /** The largest difference of any part, and of the results of the whole pass. */
  readonly part: number;
  readonly whole: number;
  /** Milliseconds in which WebAssembly ran the parts. */
  readonly coreMs: number;
  readonly tokens: number;
}

/** The buffers whose rows the core shows, in its order. */
const shown = [
  'hidden',
  'attended',
  'normed',
  'query',
  'key',
  'value',
  'context',
  'wide',
  'out',
] as const satisfies BufferName[];

/** A step of the pass in WebAssembly. Places are an address and the count of numbers. */
interface Step {
  readonly done: boolean;
  /** The part that is missing, and the part that ran. */
  readonly part: number | undefined;
  readonly ran: number | undefined;
  readonly ids: Place;
  readonly rope: Place;
  readonly local: Place;
  readonly results: Place;
  readonly rows: ReadonlyMap<BufferName, number>;
}
type Place = readonly [address: number, count: number];

/** Loads the weights of a part of the model, for both sides. */
export type Provide = (part: number) => Promise<void>;

/** Throws a DeviceFault that names the first part and kernel whose results differ. */
export function checkDevice(
  module: GeneratorModule,
  model: GeneratorModel,
  runner: Runner,
  provide: Provide,
): Promise<Checked> {
  return using(module, unwrap(module.beginDeviceCheck(model)), async (check) => {
    const comparison = new Comparison(module, runner);
    let coreMs = 0;
    for (;;) {
      const begin = performance.now();
      const step = stepIn(module, unwrap(module.stepDeviceCheck(check)));
      coreMs += step.ran === undefined ? 0 : performance.now() - begin;
      if (step.ran !== undefined) {
        await comparison.comparePart(step, step.ran);
      }
      if (step.done) {
        await comparison.compareResults(step);
        const { part, whole } = comparison;
        return { part, whole, coreMs, tokens: step.ids[1] };
      }
      if (step.part !== undefined) {
        await provide(step.part);
      }
    }
  });
}

function stepIn(module: GeneratorModule, range: HeapRange): Step {
  const numbers = heapNumbers(module, range);
  const counted = () => {
    const number = numbers.next();
    return number === 0 ? undefined : number - 1;
  };
  const place = (): Place => [numbers.next(), numbers.next()];
  return {
    done: numbers.next() > 0,
    part: counted(),
    ran: counted(),
    ids: place(),
    rope: place(),
    local: place(),
    results: place(),
    rows: new Map(shown.map((name) => [name, place()[0]])),
  };
}

class Comparison {
  readonly #module: GeneratorModule;
  readonly #runner: Runner;
  /** What WebAssembly had before the part. */
  #before = new Map<BufferName, Float32Array>();
  part = 0;
  whole = 0;

  constructor(module: GeneratorModule, runner: Runner) {
    this.#module = module;
    this.#runner = runner;
  }

  async comparePart(step: Step, ran: number): Promise<void> {
    const { plan } = this.#runner;
    const last = plan.parts.length - 2;
    if (ran < last) {
      for (const block of blocksOf(this.#module, step)) {
        await this.#compareBlock(step, block, ran);
      }
    }
    for (const name of ['hidden', 'attended'] as const) {
      this.#before.set(name, this.#numbers(step, name));
    }
  }

  /** The results of the whole pass, from the device's own parts. */
  async compareResults(step: Step): Promise<void> {
    const { plan } = this.#runner;
    const hidden = plan.parts.at(-1)?.length === 0;
    const width = hidden ? plan.buffers.hidden : plan.buffers.logits;
    const expected = this.#floats(step.results[0], step.ids[1] * width);
    this.#runner.forget();
    for (const block of blocksOf(this.#module, step)) {
      const wanted = block.ids.map((_, row) => row);
      const whole = { ...block, wanted, hidden };
      const put = (row: number, numbers: Float32Array) => {
        const from = (whereIn(block) + row) * width;
        const difference = largestDifference(
          expected.subarray(from, from + numbers.length),
          numbers,
          width,
        );
        this.whole = Math.max(this.whole, difference);
        if (!(difference <= bounds.whole)) {
          throw differs('the whole pass', 'all', difference, bounds.whole);
        }
      };
      if (!(await this.#runner.run(whole, put))) {
        throw new DeviceFault('the device has lost the keys of the check');
      }
    }
    this.#runner.forget();
  }

  async #compareBlock(step: Step, block: Block, ran: number): Promise<void> {
    const runner = this.#runner;
    const { buffers } = runner.plan;
    await runner.begin(block);
    for (const [name, numbers] of this.#before) {
      const from = whereIn(block) * buffers[name];
      runner.write(name, numbers.subarray(from, from + block.ids.length * buffers[name]));
    }
    runner.runParts(ran, ran + 1);
    runner.finish(block);
    for (const [name, kernels] of writtenBy(runner, ran)) {
      if (!step.rows.has(name)) {
        continue;
      }
      const width = buffers[name];
      const count = block.ids.length * width;
      const from = whereIn(block) * width;
      const expected = this.#numbers(step, name).subarray(from, from + count);
      const difference = largestDifference(expected, await runner.read(name, count), width);
      this.part = Math.max(this.part, difference);
      if (!(difference <= bounds.part)) {
        const rows = block.ids.length === 1 ? 'one row' : `${block.ids.length} rows`;
        throw differs(
          `${partName(ran)}.${name}`,
          `${kernels} for ${rows}`,
          difference,
          bounds.part,
        );
      }
    }
  }

  #numbers(step: Step, name: BufferName): Float32Array {
    return this.#floats(step.rows.get(name) ?? 0, step.ids[1] * this.#runner.plan.buffers[name]);
  }

  #floats(address: number, count: number): Float32Array {
    return new Float32Array(heapBytes(this.#module, address, count));
  }
}

/** All tokens but the last one, and that. */
function blocksOf(module: GeneratorModule, { ids, rope, local }: Step): Block[] {
  const all = new Uint32Array(heapBytes(module, ...ids));
  const count = all.length;
  const tables = [rope, local].map((place) => new Float32Array(heapBytes(module, ...place)));
  const rowsOf = (table: Float32Array | undefined, first: number, end: number): Float32Array => {
    const half = (table?.length ?? 0) / 2;
    const width = half / count;
    const parts = [0, half].map((at) => table?.subarray(at + first * width, at + end * width));
    return new Float32Array(parts.flatMap((part) => [...(part ?? [])]));
  };
  const block = (first: number, end: number): Block => ({
    ids: all.subarray(first, end),
    wanted: new Uint32Array(0),
    hidden: false,
    rope: rowsOf(tables[0], first, end),
    local: rowsOf(tables[1], first, end),
    pieces: [
      { sequence: 0, rotation: 0, first: 0, rows: end - first, before: all.subarray(0, first) },
    ],
  });
  return count === 1 ? [block(0, 1)] : [block(0, count - 1), block(count - 1, count)];
}

/** The row of the check that a block begins with. */
const whereIn = ({ pieces }: Block): number => pieces[0]?.before.length ?? 0;

/** The buffers that a part writes, and the kernels that do. */
function writtenBy({ plan }: Runner, part: number): Map<BufferName, string> {
  const written = new Map<BufferName, string>();
  for (const [kernel, buffers] of plan.parts[part] ?? []) {
    const name = buffers.at(-1);
    if (name && kernel !== 'keep') {
      const before = written.get(name);
      written.set(name, before ? `${before}, ${kernel}` : kernel);
    }
  }
  return written;
}

/** As a share of the largest number in the row; NaN where a number is not finite. */
export function largestDifference(
  expected: Float32Array,
  found: Float32Array,
  width: number,
): number {
  let largest = 0;
  for (let row = 0; row < expected.length; row += width) {
    let difference = 0;
    let size = 0;
    for (let i = row; i < row + width; i++) {
      const other = Math.abs((expected[i] ?? 0) - (found[i] ?? Number.NaN));
      difference = other <= difference ? difference : other;
      size = Math.max(size, Math.abs(expected[i] ?? 0));
    }
    const share = difference === 0 ? 0 : difference / size;
    largest = share <= largest ? largest : share;
  }
  return largest;
}

const partName = (part: number): string =>
  part === 0
    ? 'embeddings'
    : `layers[${Math.floor((part - 1) / 2)}].${part % 2 === 1 ? 'attention' : 'mlp'}`;

function differs(place: string, kernels: string, difference: number, bound: number): DeviceFault {
  return new DeviceFault(
    `the device computes something else at ${place} (${kernels}): the difference is ${difference.toPrecision(2)} of the largest number, and ${bound} is allowed`,
  );
}
