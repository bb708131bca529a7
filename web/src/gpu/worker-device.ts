// The device: its limits, its pipelines, its memory, and how it is found to be lost.
import type { AdapterFacts } from './adapter.ts';
import { adapterFacts, deviceLimits, gpuOf } from './adapter.ts';
import { DeviceFault, messageOf } from './worker-core.ts';
import { type Kernel, type KernelLimits, kernelNamed } from './worker-kernels.ts';

/** A queue that has not answered for so long is stalled. Software adapters take seconds for a long prompt. */
const stallMs = 120_000;

/** The numbers of WebGPU's flags: workers of Node have no objects with their names. */
export const usage = {
  mapRead: 1,
  copySource: 4,
  copyTarget: 8,
  uniform: 64,
  storage: 128,
} as const;

export interface Pipeline {
  readonly pipeline: GPUComputePipeline;
  readonly layout: GPUBindGroupLayout;
}

export class Device {
  readonly device: GPUDevice;
  readonly facts: AdapterFacts;
  readonly kernelLimits: KernelLimits;
  readonly mostBinding: number;
  readonly #pipelines = new Map<string, Promise<Pipeline>>();
  readonly #modules = new Map<string, Pipeline>();
  readonly #lost: Promise<never>;
  #fault: string | undefined;

  private constructor(device: GPUDevice, facts: AdapterFacts) {
    this.device = device;
    this.facts = facts;
    const { limits } = device;
    this.mostBinding = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
    const isLarge =
      limits.maxComputeInvocationsPerWorkgroup >= 256 &&
      limits.maxComputeWorkgroupStorageSize >= 16_384;
    this.kernelLimits = { tile: isLarge ? 16 : 8 };
    this.#lost = device.lost.then(({ message, reason }) => {
      this.#fault ??= `the device was lost (${reason}): ${message}`;
      throw new DeviceFault(this.#fault);
    });
    this.#lost.catch(() => undefined);
    device.onuncapturederror = ({ error }) => {
      this.#fault ??= messageOf(error);
    };
  }

  /** Throws a DeviceFault where there is no adapter or device. */
  static async open(): Promise<Device> {
    const gpu = await gpuOf();
    const adapter = await gpu
      ?.requestAdapter({ powerPreference: 'high-performance' })
      .catch(() => null);
    if (!adapter) {
      throw new DeviceFault(
        gpu ? 'the browser gives no adapter of WebGPU' : 'there is no WebGPU here',
      );
    }
    try {
      const device = await adapter.requestDevice({ requiredLimits: deviceLimits(adapter) });
      return new Device(device, adapterFacts(adapter));
    } catch (error) {
      throw new DeviceFault(`the adapter gives no device: ${messageOf(error)}`);
    }
  }

  close(): void {
    this.device.destroy();
  }

  /** Throws what went wrong since the device was opened. */
  check(): void {
    if (this.#fault !== undefined) {
      throw new DeviceFault(this.#fault);
    }
  }

  /** What the promise gives, or a fault where the device is lost or does not answer. */
  async answered<T>(promise: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stalled = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new DeviceFault('the device does not answer')), stallMs);
    });
    try {
      const value = await Promise.race([promise, this.#lost, stalled]);
      this.check();
      return value;
    } catch (error) {
      throw error instanceof DeviceFault ? error : new DeviceFault(messageOf(error));
    } finally {
      clearTimeout(timer);
    }
  }

  /** Runs `make`, and throws a fault where the device refuses what it makes. */
  async guarded<T>(make: () => T): Promise<T> {
    this.device.pushErrorScope('out-of-memory');
    this.device.pushErrorScope('validation');
    const made = make();
    const errors = await this.answered(
      Promise.all([this.device.popErrorScope(), this.device.popErrorScope()]),
    );
    const error = errors.find((found) => found !== null);
    if (error) {
      throw new DeviceFault(`the device refuses it: ${messageOf(error) || 'out of memory'}`);
    }
    return made;
  }

  buffer(bytes: number, use: number): GPUBuffer {
    const size = Math.max(4, Math.ceil(bytes / 4) * 4);
    if (size > this.mostBinding && (use & usage.storage) !== 0) {
      throw new DeviceFault(
        `a buffer takes ${size} bytes, and the device allows ${this.mostBinding}`,
      );
    }
    return this.device.createBuffer({ size, usage: use });
  }

  /** Compiles kernels, all at the same time. */
  async compile(names: Iterable<string>): Promise<void> {
    const all = [...new Set(names)].map((name) => this.#compile(name));
    await this.answered(Promise.all(all));
  }

  /** A kernel that was compiled. */
  pipeline(name: string): Pipeline {
    const found = this.#modules.get(name);
    if (!found) {
      throw new Error(`${name} is not compiled`);
    }
    return found;
  }

  #compile(name: string): Promise<Pipeline> {
    let compiling = this.#pipelines.get(name);
    if (!compiling) {
      compiling = this.#make(name);
      this.#pipelines.set(name, compiling);
    }
    return compiling;
  }

  async #make(name: string): Promise<Pipeline> {
    const { device } = this;
    const { code, writes } = kernelNamed(name, this.kernelLimits);
    const module = device.createShaderModule({ label: name, code });
    const layout = device.createBindGroupLayout({ entries: entriesOf(writes) });
    const pipeline = await device
      .createComputePipelineAsync({
        layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
        compute: { module, entryPoint: 'main' },
      })
      .catch((error: unknown) => {
        throw new DeviceFault(`the kernel ${name} does not compile: ${messageOf(error)}`);
      });
    const made = { pipeline, layout };
    this.#modules.set(name, made);
    return made;
  }
}

function entriesOf(writes: Kernel['writes']): GPUBindGroupLayoutEntry[] {
  const visibility = 4; // compute
  return [
    { binding: 0, visibility, buffer: { type: 'uniform' } },
    { binding: 1, visibility, buffer: { type: 'uniform', hasDynamicOffset: true } },
    ...writes.map((written, i) => ({
      binding: i + 2,
      visibility,
      buffer: { type: written ? 'storage' : 'read-only-storage' } as const,
    })),
  ];
}
