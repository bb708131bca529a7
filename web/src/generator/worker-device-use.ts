// A language model whose passes a graphics processor computes. The code for it is a script of its own, which is fetched here.
import { AmbryError, isAbort, messageOf } from '../base/errors.ts';
import type { DevicePasses } from '../gpu/worker-gpu.ts';
import { unwrap } from '../runtime/worker-heap.ts';
import type { GeneratorModel, GeneratorModule } from '../wasm/module.mjs';
import type { DeviceFacts } from './base/types.ts';
import type { WeightFeed } from './worker-weight-feed.ts';

/** A pass asks for this part where a device has to compute its rows. */
export const devicePart = 0xffff_ffff;

type DeviceScript = typeof import('../gpu/worker-gpu.ts');

export class DeviceUse {
  readonly #module: GeneratorModule;
  readonly #model: GeneratorModel;
  readonly #passes: DevicePasses;

  private constructor(module: GeneratorModule, model: GeneratorModel, passes: DevicePasses) {
    this.#module = module;
    this.#model = model;
    this.#passes = passes;
  }

  /** Throws an AmbryError of code Unsupported with the reason why the model does not run on a device. */
  static async open(
    module: GeneratorModule,
    model: GeneratorModel,
    feed: WeightFeed,
    signal: AbortSignal,
    onlyIfFaster: boolean,
  ): Promise<DeviceUse> {
    try {
      // Bundlers take the script along as a file, and leave the import as it is: some make workers that import nothing. A
      // worker without an address has no script beside it.
      const script = new URL('../gpu/worker-gpu.js', import.meta.url);
      const { DevicePasses } = (await import(
        /* @vite-ignore */ /* webpackIgnore: true */ script.href
      )) as DeviceScript;
      const passes = await DevicePasses.open({
        module,
        model,
        onlyIfFaster,
        provide: (part, take) => feed.provide(model, part, signal, take),
      });
      return new DeviceUse(module, model, passes);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AmbryError || isAbort(error)) {
        throw error;
      }
      throw new AmbryError('Unsupported', messageOf(error), { path: 'options.device' });
    }
  }

  get facts(): DeviceFacts {
    const { adapter, checked } = this.#passes;
    return { name: 'webgpu', adapter, difference: checked.whole };
  }

  /** Computes the rows that a pass waits for. Where the device fails, WebAssembly goes on, and the reason comes back. */
  async answer(signal: AbortSignal): Promise<string | undefined> {
    try {
      await this.#passes.answer();
    } catch (error) {
      unwrap(this.#module.setDevice(this.#model, false));
      this.#passes.close();
      return `The device failed, so WebAssembly goes on: ${messageOf(error)}`;
    } finally {
      signal.throwIfAborted();
    }
    return undefined;
  }
}
