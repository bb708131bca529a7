// A language model on the graphics processor: opened with a check, and asked for the rows that passes of the core wait for.
import type { GeneratorModel, GeneratorModule, DeviceRows as Held } from '../wasm/module.mjs';
import type { AdapterFacts } from './adapter.ts';
import { type Checked, checkDevice } from './worker-check.ts';
import { DeviceFault, heapBytes, heapNumbers, unwrap, using } from './worker-core.ts';
import { Device } from './worker-device.ts';
import { readPlan } from './worker-plan.ts';
import { type Block, Runner } from './worker-runner.ts';

/** Loads the weights of a part of the model; `take` gets each tensor on its way. */
type Provide = (part: number, take: (tensor: number, bytes: Uint8Array) => void) => Promise<void>;

interface OpenInput {
  readonly module: GeneratorModule;
  readonly model: GeneratorModel;
  readonly provide: Provide;
  /** Refuse a device that takes longer for a token than WebAssembly. */
  readonly onlyIfFaster?: boolean;
}

/** What a further row of a pass takes in WebAssembly, as a share of the first one. */
const furtherRow = 0.9;
/** How much faster WebAssembly can be than in the check, which has one thread and activations as floats: with four threads, and
 *  activations of 8 bits. The device must be faster even so. */
const fasterCore = 12;

export class DevicePasses {
  readonly #module: GeneratorModule;
  readonly #model: GeneratorModel;
  readonly #device: Device;
  readonly #runner: Runner;
  readonly checked: Checked;
  /** The rows before: one block runs at a time. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(input: OpenInput, device: Device, runner: Runner, checked: Checked) {
    this.#module = input.module;
    this.#model = input.model;
    this.#device = device;
    this.#runner = runner;
    this.checked = checked;
  }

  /** Throws a DeviceFault where there is no device, where it cannot run the model, or where it computes
   *  something else. */
  static async open(input: OpenInput): Promise<DevicePasses> {
    const { module, model, provide } = input;
    const plan = readPlan(unwrap(module.devicePlan(model)));
    const device = await Device.open();
    try {
      const runner = await Runner.create(device, module, plan);
      const take = (tensor: number, bytes: Uint8Array) => runner.weights.put(tensor, bytes);
      const checked = await checkDevice(module, model, runner, (part) => provide(part, take));
      const passes = new DevicePasses(input, device, runner, checked);
      if (input.onlyIfFaster) {
        await passes.#checkSpeed();
      }
      device.check();
      unwrap(module.setDevice(model, true));
      return passes;
    } catch (error) {
      device.close();
      throw error;
    }
  }

  get adapter(): AdapterFacts {
    return this.#device.facts;
  }

  /** Computes the rows that a pass waits for. */
  answer(): Promise<void> {
    const rows = unwrap(this.#module.deviceRows(this.#model));
    const answered = this.#last.then(() =>
      using(this.#module, rows, async () => {
        const { block, results } = this.#waiting(rows);
        const { hidden, logits } = this.#runner.plan.buffers;
        const width = block.hidden ? hidden : logits;
        const isHere = await this.#runner.run(block, (row, numbers) => {
          const bytes = new Uint8Array(numbers.buffer);
          this.#module.HEAPU8.set(bytes, results + 4 * row * width);
        });
        unwrap(this.#module.answerDeviceRows(rows, !isHere));
      }),
    );
    this.#last = answered.catch(() => undefined);
    return answered;
  }

  /** Throws a DeviceFault where WebAssembly may be as fast. */
  async #checkSpeed(): Promise<void> {
    const { software } = this.#device.facts;
    const found = software ? Number.POSITIVE_INFINITY : await this.#tokenMs();
    const { coreMs, tokens } = this.checked;
    const core = coreMs / (1 + furtherRow * (tokens - 1)) / fasterCore;
    if (!(found < core)) {
      const why = software
        ? 'the adapter is a program on the processor'
        : `a token takes ${found.toFixed(1)} ms there, and about ${core.toFixed(1)} ms in WebAssembly`;
      throw new DeviceFault(why);
    }
  }

  /** Milliseconds that a token takes. */
  async #tokenMs(): Promise<number> {
    const block: Block = {
      ids: new Uint32Array(1),
      wanted: new Uint32Array(1),
      hidden: this.#runner.plan.parts.at(-1)?.length === 0,
      rope: new Float32Array(0),
      local: new Float32Array(0),
      pieces: [{ sequence: 0, rotation: 0, first: 0, rows: 1, before: new Uint32Array(0) }],
    };
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 4; i++) {
      const begin = performance.now();
      await this.#runner.run(block, () => undefined);
      best = Math.min(best, performance.now() - begin);
    }
    this.#runner.forget();
    return best;
  }

  close(): void {
    this.#device.close();
  }

  /** What the core says of the rows, and the address of their results. */
  #waiting(rows: Held): { block: Block; results: number } {
    const numbers = heapNumbers(this.#module, unwrap(this.#module.rangeOf(rows)));
    const bytes = () => heapBytes(this.#module, numbers.next(), numbers.next());
    const hidden = numbers.next() > 0;
    const ids = new Uint32Array(bytes());
    const wanted = new Uint32Array(bytes());
    const rope = new Float32Array(bytes());
    const local = new Float32Array(bytes());
    const results = numbers.next();
    numbers.next();
    const pieces: Block['pieces'][number][] = [];
    while (!numbers.done) {
      pieces.push({
        sequence: numbers.next(),
        rotation: numbers.next(),
        first: numbers.next(),
        rows: numbers.next(),
        before: new Uint32Array(bytes()),
      });
    }
    return { block: { ids, wanted, hidden, rope, local, pieces }, results };
  }
}
